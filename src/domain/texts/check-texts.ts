/** Lines of checks, in English, with the remedy of a line on a line of its own. */
export const checkTexts = {
  check_files: 'files are written to: {place} can be written',
  check_files_later: 'files are written to: {place} does not exist yet and will be created',
  check_inbox: 'inbox: {place} can be written',
  check_inbox_later: 'inbox: {place} does not exist yet and will be created',
  check_free: '{size} free for {place}',
  check_free_little: '{size} free for {place}\nFree some space on that disk.',
  check_xlsx: 'XLSX: numbers, dates and leading zeros arrive as they are',
  check_data: 'profile data: exact values, for programs',
  check_excel:
    'profile excel: safe to open, but a spreadsheet program drops leading zeros (017…); `format: xlsx` keeps them',
  check_inbox_clinic:
    'inbox: several clinics are served and inbox_clinic is not set\nSet inbox_clinic, or give every file a column clinic.',
  check_key: 'key: of {address} (the address to share the spreadsheet with)',
  check_key_open: 'key: {file} can be read by other users of this machine\nRun: chmod 600 {file}',
  check_token: 'token: Google accepts the key',
  check_read: 'read: “{title}” can be read',
  check_write: 'write: {address} may change it',
  check_bin:
    'bin: it could not be seen whether the spreadsheet is in the bin of Google Drive\nIn the Google Cloud console open APIs & Services, search for Google Drive API and press Enable.',
  check_keeper: 'keeper: this installation',
  check_keeper_none: 'keeper: none yet; the first run signs it',
  check_columns:
    'columns: {place} is without {columns}\nThat is respected. To have them back: clinic-sync connectors repair.',
  check_looks:
    'formats: {place} lacks the formats or the warning of a new tab for {columns}, so zeros may get lost or answers be overwritten\nTo set them: clinic-sync connectors repair.',
  check_protection:
    'protection: a range of {place} is closed to us\nUnder Data, Protected sheets and ranges, allow the address above to edit it.',
  check_copies:
    'tabs: {tabs} is a copy of a tab that clinic-sync keeps, and is not kept up to date\nKeep it as a record, or delete it.',
  check_tabs: 'tabs: {tabs}',
  check_tabs_later: 'tabs: {tabs}; made with the first run: {missing}',
  check_month_first:
    'The spreadsheet’s locale ({locale}) reads a typed 05/01/2027 as 1 May, but in {zone} people mean 5 January.\nChange it under File, Settings, Locale, or choose days from the calendar; Message says each day in words.',
  check_locale: 'locale {locale}, time zone {zone}',
  check_reachable: '{host} can be reached',
  check_certificate: '{host} can be reached and has a valid certificate',
  check_unencrypted: 'Patient data goes out unencrypted\nUse https, or take patient out of include.',
  check_short_secret:
    'The secret is shorter than 24 bytes\nMake one with `openssl rand -base64 24` and put whsec_ before it.',
  check_form: 'the booking form is at {path}; it may be sent from there',
  check_form_sites: 'the booking form is at {path}; it may be sent from there, and forms of {sites}',
  check_no_submission: 'no submission has come yet',
} as const;
