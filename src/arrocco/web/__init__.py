"""The office on the web: pages in Italian and English and a JSON API, over the office's services.

Nothing is decided here: a page asks the office, which checks who asks, and shows what came back.
"""
