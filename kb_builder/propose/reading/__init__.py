"""Sections as proposers read them: things, frames, cues, coordination; no claim is made here."""
