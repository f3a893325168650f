"""The grammar of doses: amounts, timing, durations, cues, and the phrases they make."""
