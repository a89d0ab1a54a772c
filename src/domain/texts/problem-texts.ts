/**
 * What our connectors report of their runs, in English; the catalogue has the other languages. `{place}`, `{range}` and
 * `{ref}` say what it is about: while they stay, it is the same problem, whatever its numbers are. What a failure or a
 * check says has its remedy on a line of its own.
 */
export const problemTexts = {
  texts_cut: {
    one: '{place}: 1 text is longer than a cell can hold and was cut.',
    other: '{place}: {count} texts are longer than a cell can hold and were cut.',
  },
  file_unread: 'A file in {place} cannot be read (EIO): check the disk.',
  files_failed: {
    one: '1 file in {place}: not booked, or not completely.\nIt has an .error.txt beside it that says why; correct it, drop it again, delete it there.',
    other:
      '{count} files in {place}: not booked, or not completely.\nEach has an .error.txt beside it that says why; correct it, drop it again, delete it there.',
  },
  files_other:
    '{names} in {place}: neither a .csv file nor an .xlsx workbook, so not booked. Save it there as CSV, or move it elsewhere.',
  files_unnameable: {
    one: '1 file in {place} cannot be opened, because the name is not UTF-8: rename it, using plain letters.',
    other:
      '{count} files in {place} cannot be opened, because the names are not UTF-8: rename them, using plain letters.',
  },
  files_in_folders:
    '{names}: in a folder inside {place}, where nothing is read. Move it into {place} itself.',
  files_online_only:
    '{names} in {place}: only a placeholder of a cloud drive, without its content. Make it available offline there.',
  files_unsettled:
    '{names} in {place}: not complete since {since}, so it is not read. Copy it again, or delete it there.',
  files_of_others:
    '{names} in {place}: cannot be moved by user id {user}, because it belongs to {owner}. Give it to user id {user}, or remove the sticky bit of the folder; everything else goes on.',
  files_not_ours:
    '{names} in {place}: not written by clinic-sync, or changed since, so it stays as it is.\nRename it or move it away, because clinic-sync needs that name.',
  files_stuck:
    '{names} in {place}: cannot be taken{code}. Close it where it is open, or rename it; everything else goes on.',
  sheet_in_bin:
    'The spreadsheet is in the bin of Google Drive: rows ticked in it are booked, everything else in it rests.\nIts owner restores it there, or gives clinic-sync another; Google deletes it after 30 days.',
  sheet_full:
    'The spreadsheet is full (Google allows ten million cells): nothing new is added. Delete blank rows, columns or old tabs.',
  tab_unmarked: '{place}: no longer has the marks of clinic-sync; it is not kept up to date.',
  bookings_unmarked:
    '{place}: no longer has the marks of clinic-sync; rows ticked in it are NOT booked. Move them to the present tab.',
  tab_gone:
    '{place}: the tab was gone, so clinic-sync makes a new one after a minute. What people had added is in the spreadsheet’s version history; if the tab is not wanted, take it out of `tabs`.',
  writes_undone:
    '{place}: what clinic-sync writes does not stay, each reading shows the former cells. Look for a script in the spreadsheet, or a proxy before Google, that undoes it.',
  tab_copied: '{place}: a copy of a tab that clinic-sync keeps; it is not kept up to date.',
  bookings_copied: '{place}: a copy of a tab that clinic-sync keeps; rows ticked in it are NOT booked.',
  copy_ticked: {
    one: '1 row ticked in a copy of Bookings is NOT booked. Move it to the present tab.',
    other: '{count} rows ticked in a copy of Bookings are NOT booked. Move them to the present tab.',
  },
  part_drop_downs: 'The drop-downs of Bookings',
  part_stale_colour: 'The colour of STALE in Sync',
  part_age: 'The age of {tab}',
  part_ages: 'The age of the tabs',
  part_charts: 'The charts of Overview',
  part_refused: '{place}: not up to date. {detail}',
  id_column_gone:
    '{place}: the column ID (or Clinic) was deleted, so rows cannot be distinguished and the tab is not updated. Undo the deletion, or run: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 cell was changed by hand and left so (on_drift: report).',
    other: '{place}: {count} cells were changed by hand and left so (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} is in more than one row; sums count it twice. Delete the copy.',
    other: '{place}: {ids} are in more than one row; sums count them twice. Delete the copies.',
  },
  rows_unknown: {
    one: '{place}: row {rows} has no known ID or Clinic: it is not kept up to date, and sums may count it twice. Delete it.',
    other:
      '{place}: rows {rows} have no known ID or Clinic: they are not kept up to date, and sums may count them twice. Delete them.',
  },
  cells_hidden: {
    one: '{place}: 1 cell of ours is hidden in merged cells: it is neither read nor written. Unmerge them.',
    other:
      '{place}: {count} cells of ours are hidden in merged cells: they are neither read nor written. Unmerge them.',
  },
  cells_merged: {
    one: '{place}: 1 cell or row is out of date because people have merged cells there. Unmerge them.',
    other:
      '{place}: {count} cells or rows are out of date because people have merged cells there. Unmerge them.',
  },
  tab_protected: {
    one: '{place}: 1 cell or row is out of date because the tab is protected. Allow clinic-sync’s address to edit it.',
    other:
      '{place}: {count} cells or rows are out of date because the tab is protected. Allow clinic-sync’s address to edit it.',
  },
  range_protected: {
    one: '{place}: 1 cell or row is out of date because the range {range} is protected. Allow clinic-sync’s address to edit it.',
    other:
      '{place}: {count} cells or rows are out of date because the range {range} is protected. Allow clinic-sync’s address to edit it.',
  },
  columns_gone: {
    one: '{place}: the column {columns} is not kept up to date: deleted, or without our mark. To have it back: clinic-sync connectors repair.',
    other:
      '{place}: the columns {columns} are not kept up to date: deleted, or without our mark. To have them back: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 fee is written as text: a spreadsheet cannot hold the number exactly.',
    other: '{place}: {count} fees are written as text: a spreadsheet cannot hold the numbers exactly.',
  },
  booking_columns_gone: {
    one: '{place}: the column {columns} was deleted, so no booking is taken from the tab. Undo the deletion, or run: clinic-sync connectors repair.',
    other:
      '{place}: the columns {columns} were deleted, so no booking is taken from the tab. Undo the deletion, or run: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} was not taken. {detail}',
  answers_closed: {
    one: '{place}: 1 cell cannot be written because it is protected or merged. Allow clinic-sync’s address to edit Ref, State, Appointment, Message, Updated and Send.',
    other:
      '{place}: {count} cells cannot be written because they are protected or merged. Allow clinic-sync’s address to edit Ref, State, Appointment, Message, Updated and Send.',
  },
  rows_changed:
    '{place}: changed after it was sent, so the clinic does not know of it: {rows}.\nIf a column was sorted alone, undo that. Call the clinic. This is shown until the visit is over, or the row says again what was sent.',
  rows_overtyped:
    '{place}: another patient was typed over {rows} and is NOT booked.\nIf a column was sorted alone, undo that. Enter that patient in a row of their own.',
  columns_unmarked:
    '{place}: the column {columns} has lost our mark, so it is not kept up to date.\nRun: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: the column {columns} has lost our mark, so no booking is taken from the tab.\nRun: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} was cut and pasted elsewhere, and our mark stayed behind; nothing is written there or read from there.\nRun: clinic-sync connectors repair. It moves the mark.',
  header_gone:
    '{place}: the line with the headers was deleted.\nTo have it back: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: a script, an add-on or a person keeps changing back what clinic-sync writes: {cells}.\nFind it under Extensions and stop it.',
  ref_closed:
    '{place}: nothing is booked from this tab while Ref is protected or merged.\nAllow clinic-sync’s address to edit Ref, State, Appointment, Message, Updated and Send.',
  erased_shown:
    '{place}: {refs}: the row was changed after it was sent, and its person was erased since. Delete what it still shows of them, or clear its Ref when it is about another person.',
  deliveries_held_up: {
    one: '1 event has waited since {since} and is sent again at {until}. {detail}',
    other: '{count} events have waited since {since}; the next attempt is at {until}. {detail}',
  },
} as const;
