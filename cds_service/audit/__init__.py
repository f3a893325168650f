"""From prescription to results: plan, query, select, judge, synthesise."""
