"""Errors of the answer.

ServiceError
└── SettingsError
    └── InvalidPolicy      a policy file that cannot be used: which, where, the value, what to do
"""

from __future__ import annotations

from cds_service.errors import SettingsError


class InvalidPolicy(SettingsError):
    """A policy file that cannot be used."""
