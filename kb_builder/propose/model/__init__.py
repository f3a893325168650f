"""Proposing with a language model: what is asked, how replies are recorded, and how they become proposals. Off unless a build asks for it.

What is asked is decided by conversations that do no input or output (`methods`); `asking` puts their requests to a server, `reply_folder` keeps
the replies, and `proposer` replays them. Nothing that a model says is believed: code finds every word in the label and the gates judge.
"""
