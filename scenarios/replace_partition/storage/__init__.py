"""Where and how the rows are stored: disks, encryption, codecs, object stores."""
