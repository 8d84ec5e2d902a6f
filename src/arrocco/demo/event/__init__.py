"""A whole event from entry to list, played by scripted people over real sockets.

`cast` invents the people and gives them accounts, `site` is the server, `page` one socket of
somebody, `player` and `arbiter` what they do, `course` the event from beginning to end, `office`
what the rating office makes of it, `whole` all of it in an office of its own.
"""
