/** Why a connector cannot work, in English: what is wrong, and on a line of its own what to do. */
export const failureTexts = {
  google_sign_in_ended:
    'Google no longer accepts the sign-in: it was revoked or has expired.\nSign in again: clinic-sync connectors login. Google ends each sign-in after seven days while the OAuth app is in “Testing”: publish it, or make it Internal.',
  google_client_unknown:
    'Google does not know the OAuth client of the sign-in.\nDownload the client’s JSON again, then: clinic-sync connectors login.',
  google_key_refused:
    'Google does not accept the key of {address}: it was revoked or deleted, or the account was.\nMake a new key for the service account (Keys, Add key, JSON) and put it in place of the old one.',
  google_clock:
    'Google does not accept our sign-in because the clock of this machine is wrong.\nSet the clock (NTP), then try again.',
  google_account_disabled:
    'Google has disabled {address}.\nIn the Google Cloud console enable the account (IAM & Admin, Service accounts), or make a new one.',
  google_client_disabled:
    'Google has disabled {address}.\nIn the Google Cloud console look at the project’s credentials, or make new ones.',
  google_slow_down: 'Google asks us to slow down ({status}).\nNothing to do: it continues in a minute.',
  google_token_refused: 'Google did not accept our token.\nThe next try asks for a new one.',
  google_reauth:
    'Google asks {address} to sign in again: the organization requires it every few hours.\nSign in: clinic-sync connectors login. To be spared it, use a service account, or have the Google administrator exempt the app.',
  google_client_unauthorized:
    'Google does not let this client sign in as {address}: it is deleted, or made for another kind of sign-in.\nMake an OAuth client of the kind Desktop app (or a new key), then: clinic-sync connectors login.',
  google_project_suspended:
    'Google has suspended the Cloud project of {address}.\nRead Google’s e-mail to its owner and appeal in the Google Cloud console, or use an account of another project.',
  google_project_gone:
    'The Cloud project of {address} is deleted.\nRestore it in the Google Cloud console (IAM & Admin, Manage resources) within 30 days, or make a new account in another project.',
  google_billing:
    'Billing is switched off for the Cloud project of {address}, and Google asks for it.\nSwitch billing on in the Google Cloud console, or use an account of another project.',
  google_address_blocked:
    'Google refuses calls from the network address of this machine.\nLook for restrictions by address at the client and in the organization’s access levels; allow this address there.',
  google_other_reason:
    'Google refused it to {address}: {reason}.\nSearch Google’s documentation for this reason, or ask your Google administrator.',
  google_no_project:
    'Google does not know which of your projects our calls belong to.\nRun: gcloud auth application-default set-quota-project PROJECT, with one that has the Google Sheets API enabled.',
  google_scope:
    'The sign-in of {address} does not include spreadsheets.\nSign in for them: clinic-sync connectors login, or {login}. A virtual machine of Google’s needs the access scope {scope}.',
  google_api_off:
    'The Google Sheets API is switched off in the service account’s project.\nIn the Google Cloud console open APIs & Services, search for Google Sheets API and press Enable.',
  google_drive_full:
    'The Google Drive of the spreadsheet’s owner is full.\nFree space there (also in Gmail and Photos), or move the spreadsheet to an owner who has space.',
  google_policy:
    'The rules of your organization at Google forbid this to {address}.\nAsk its Google administrator to allow it, or sign in as a person of the organization: clinic-sync connectors login.',
  google_read_only:
    '{address} may look at the spreadsheet but not change it.\nShare the spreadsheet with this address as Editor.',
  google_not_shared:
    'The spreadsheet is not shared with {address}.\nShare the spreadsheet with this address as Editor.',
  google_no_spreadsheet:
    'There is no spreadsheet with this id: it is mistyped, or the spreadsheet was deleted.\nCopy its address from the browser into `spreadsheet`; look into the bin of Google Drive.',
  google_typed_columns:
    'Google does not accept drop-downs and checkboxes in a table with typed columns.\nNothing is lost: names can be typed. To have them back, choose Convert to unformatted data for the table.',
  google_protected:
    'Something in the spreadsheet is protected against {address}.\nUnder Data, Protected sheets and ranges, allow this address to edit; everything else stays up to date meanwhile.',
  google_full:
    'The spreadsheet is full: Google allows ten million cells in one.\nDelete blank rows, columns or old tabs, or give clinic-sync a separate spreadsheet.',
  google_tab_gone: 'A tab was deleted.\nIt is created again.',
  google_excel:
    'The file is an Excel workbook in Google Drive, not a Google spreadsheet.\nOpen it and choose File, Save as Google Sheets; then use the new file’s address.',
  google_changed: 'The spreadsheet was changed at the same moment.\nIt is read again.',
  google_refused:
    'Google refused what we asked for ({words}).\nThis is a fault of the connector; please report it with the time it happened.',
  google_cell_refused:
    'Google refuses what clinic-sync writes there{cell}: {words}.\nUndo what was last changed there by hand (a rule, a table, a merge, a protection); the next try is within five minutes.',
  google_unreachable:
    'Google could not be reached{code}.\nIf this stays, check the network and whether a firewall allows sheets.googleapis.com and oauth2.googleapis.com.',
  google_certificate:
    'No secure connection to Google{code}.\nSomething on the way answers in its place: let the firewall or proxy pass Google untouched, or set NODE_EXTRA_CA_CERTS to the certificate of its authority.',
  google_redirect:
    'Google answered with a redirect ({status}), which is not followed.\nIf this stays, look for a proxy or firewall that answers in Google’s place.',
  google_web_page:
    'A web page ({status}) came back in Google’s place.\nIf this stays, let the proxy, firewall or sign-in portal of this network pass sheets.googleapis.com and oauth2.googleapis.com through.',
  google_odd_answer:
    'What came back in Google’s place ({status}) is not what was asked for; none of it was used.\nIf this stays, look for a proxy or firewall that answers in Google’s place.',
  google_status: 'Google answered {status}.\nIt is tried again.',
  sheet_of_another:
    'The spreadsheet is kept by another installation of clinic-sync ({name}); nothing is written to it and no booking is taken from it.\nIf that one does not run any more (or its database was lost), set `adopt: {name}` and restart.',
  folder_denied:
    'No permission to write in {place}.\nLet user id {user} read and write there (owner or volume options), or choose another directory.',
  folder_read_only:
    '{place} is on a read-only file system.\nMount its volume writable, or choose another directory.',
  folder_is_file:
    '{place} cannot be used as a directory: a file is in its place.\nMove that file away, or choose another directory.',
  share_away:
    'The share {place} is not mounted, so nothing is written there.\nMount it again. If the files belong there without it, run clinic-sync connectors repair.',
  inbox_away:
    '{place} is empty, although files were taken from it before: its share is probably not mounted.\nMount it again. If the folder is meant to be empty, create the folder done in it.',
  disk_full: 'No space left for {place}.\nFree some space on its disk; writing then continues.',
  write_failed: 'Writing in {place} failed{code}.\nCheck its disk or network share.',
  file_in_use:
    '{place} could not be replaced{code}.\nClose it where it is open, or let clinic-sync replace it; the other files are up to date.',
  receiver_rejects:
    'The receiver answered {status}.\nLook into the receiver’s log: it does not accept this event.',
  receiver_denies: 'The receiver answered {status}.\nCheck the secret and the headers on both sides.',
  receiver_clock:
    'The receiver answered {status}, and this machine’s clock differs from its own by {minutes} min.\nSet the clock (NTP): a signature counts for a few minutes only.',
  receiver_not_there: 'The receiver answered {status}.\nCheck the url: the receiver has nothing there.',
  receiver_no_post: 'The receiver answered {status}.\nCheck the url: the receiver does not take POST there.',
  receiver_gone:
    'The receiver answered {status}.\nThe receiver wants no more events. Remove the connector, or resume it when that is wrong.',
  receiver_too_large:
    'The receiver answered {status}.\nLet the receiver take larger bodies, or set thin: true.',
  receiver_slow_down: 'The receiver answered {status}.\nSet rate to what the receiver allows.',
  receiver_redirect:
    'The receiver answered {status}.\nRedirects are not followed: put the address it redirects to into url.',
  receiver_broken: 'The receiver answered {status}.\nThe receiver has a problem; look into its log.',
  receiver_web_page:
    'The receiver answered {status} with a web page; it never did before.\nCheck that url still leads to the receiver: its domain may have been taken over, or a portal answers in its place.',
  receiver_status: 'The receiver answered {status}.',
  paused_by: 'Paused by {who}.',
  paused_by_person: 'Paused by a person.',
  paused_outage:
    'Nothing could be delivered for a day ({detail}) Nothing was dropped; delivery is tried every hour.',
} as const;
