"""Reports and differences in the forms that other programs and browsers read, one file each."""
