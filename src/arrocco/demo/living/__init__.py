"""The living hall of a demo: an event in which invented people play, round after round, all day.

A process beside the server plays it over sockets, as browsers would. Two seats are left to whoever
looks around: a player who is paired in every round, and an arbiter with alarms to answer.
`camera` and `film` are what the invented players send to the video conference.
"""
