"""The Rating Italia Online (RIO) of the Federazione Scacchistica Italiana."""
