"""Report on a class: gradebook, feedback pages, class page."""
