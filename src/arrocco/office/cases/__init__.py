"""Cases of the Fair Play Committee (13): what is entered in one, and when something may be.

A case is a row of records that are written once. What a figure says of somebody's play has no
place here: evidence is kept by the hash of its bytes, and read by people.
"""

from arrocco.office.cases.case import CommitteeCase, Proposal, fold_case

__all__ = ["CommitteeCase", "Proposal", "fold_case"]
