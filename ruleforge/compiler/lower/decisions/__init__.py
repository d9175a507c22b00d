"""What somebody is asked, or chance: sites, their choices, windows for actions, costs."""
