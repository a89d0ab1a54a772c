/** What a name in the inbox stands for. */
export type FileKind =
  /** A file with bookings, also in a workbook. */
  | 'csv'
  /** Of nobody: what systems, syncers, spreadsheet programs and uploads leave beside files. */
  | 'litter'
  /** A cloud drive shows the file, and has its content elsewhere. */
  | 'online_only'
  | 'other';

/** The first that matches counts. */
const kinds: readonly (readonly [RegExp, FileKind])[] = [
  // iCloud hides the placeholder: `.leads.csv.icloud`.
  [/^\..+\.csv\.icloud$/i, 'online_only'],
  [/\.csv\.(?:nextcloud|owncloud|opencloud|cloud|cloudf|placeholder)$/i, 'online_only'],
  // Hidden files and folders, lock files of Office and LibreOffice, temporary files of both.
  [/^(?:\.|~\$|~WRL\d+\.tmp$|lu[0-9a-z]+\.tmp$)/i, 'litter'],
  [
    /^(?:thumbs\.db|ehthumbs(?:_vista)?\.db|desktop\.ini|icon\r?|autorun\.inf|folder\.jpg|albumart.*\.jpg)$/i,
    'litter',
  ],
  // Streams that Windows and macOS keep beside a file, as other systems show them.
  [
    /[:\uf022\uf03a](?:zone\.identifier|encryptable|afp_\w+|com\.(?:apple|dropbox)\.[\w.#-]+|smartscreen|\$data)/i,
    'litter',
  ],
  [
    /^(?:@.*|#recycle|#snapshot|\$recycle\.bin|recycler|system volume information|lost\+found|__macosx)$/i,
    'litter',
  ],
  [/\.(?:md5|sha1|sha224|sha256|sha384|sha512|sfv|crc|sig|asc)$/i, 'litter'],
  [
    /\.(?:ok|done|ready|complete|finished|fin|eof|end|go|trg|trigger|ctl|flag|flg|semaphore|sem|lock|lck|pid)$/i,
    'litter',
  ],
  [/\.(?:csv|xlsx)$/i, 'csv'],
  [/(?:)/, 'other'],
];

export const fileKindOf = (name: string): FileKind =>
  kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
