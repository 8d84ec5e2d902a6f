"""The video conference (9.1): what players send, who sees it, what is kept and for how long."""
