"""The domain: frozen values with the standard library only.

Nothing here reads a file, opens a socket or knows FHIR. Everything the other packages exchange is one of these types.
"""
