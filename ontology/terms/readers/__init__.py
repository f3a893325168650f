"""Readers of the terminologies a site holds under licences of its own: files to records, in a stream, with every refusal placed."""
