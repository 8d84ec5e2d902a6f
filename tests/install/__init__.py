"""What is installed, packed and put in front of it on a server."""
