"""From gated proposals to rules: scope, consolidation, contradiction, promotion; and the claims that metadata itself makes."""
