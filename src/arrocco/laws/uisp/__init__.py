"""The Elo UISP of the Unione Italiana Sport Per tutti."""
