"""The engine for larger events: Debian's Janus, started, configured and watched by this program.

Browsers speak WebRTC with it and nothing else: offers and answers go over the site's own socket,
and only this program asks Janus for anything, over a Unix-domain socket of its own.
"""

from arrocco.video.janus.configuration import JanusPlaces, is_installed
from arrocco.video.janus.engine import Janus

__all__ = ["Janus", "JanusPlaces", "is_installed"]
