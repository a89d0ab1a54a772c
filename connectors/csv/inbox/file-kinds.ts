/** What a name in the inbox stands for. */
export type FileKind =
  /** A file with bookings, also in a workbook. */
  | 'csv'
  /** Of nobody: what systems, syncers and programs leave beside files, and files about files. */
  | 'litter'
  /** Not yet here as a whole: it gets its own name when it is. */
  | 'transfer'
  /** A cloud drive shows the file, and has its content elsewhere. */
  | 'online_only'
  | 'other';

/** The first that matches counts. */
const kinds: readonly (readonly [FileKind, RegExp])[] = [
  // iCloud hides the placeholder: `.leads.csv.icloud`.
  ['online_only', /^\..+\.(?:csv|xlsx)\.icloud$/i],
  ['online_only', /\.(?:csv|xlsx)\.(?:nextcloud|owncloud|opencloud|cloudf?|rslsf?|placeholder)$/i],
  // Hidden files and folders, among them the temporary files of most syncers.
  ['litter', /^(?:\.|~syncthing~)/],
  // Lock files, temporary files and copies of spreadsheet programs and editors.
  ['litter', /^(?:~\$|~WRL\d+\.tmp$|~DF[0-9A-F]+\.tmp$|lu[0-9a-z]+\.tmp$|[0-9A-F]{8}(?:\.tmp)?$|#.*#$)/i],
  ['litter', /(?:~|\.sw[a-p]|\.(?:csv|xlsx)\.(?:bak|old|orig|save)|\.sb-[0-9a-f]{8}-\w+)$/i],
  ['litter', /^(?:thumbs\.db|ehthumbs(?:_vista)?\.db|desktop\.ini|icon\r?|autorun\.inf|\$recycle\.bin)$/i],
  [
    'litter',
    /^(?:folder\.jpg|albumart.*\.jpg|recycler|system volume information|found\.\d{3}|lost\+found)$/i,
  ],
  ['litter', /^(?:__macosx|network trash folder|temporary items|#recycle|#snapshot|~snapshot|@.*)$/i],
  ['litter', /\.ffs_\w+$|^rclone_test$/i],
  // What web servers and programs keep in a folder that others may look into.
  ['litter', /^(?:index\.(?:html?|php)|web\.config|_success|_(?:committed|started)_\d+)$/i],
  // Streams that Windows, macOS and Synology keep beside a file, as other systems show them.
  ['litter', /@Syno(?:EAStream|Resource)$/i],
  ['litter', /[:#\uf022\uf03a](?:zone\.identifier|encryptable|afp_\w+|smartscreen|\$data)/i],
  ['litter', /[:#\uf022\uf03a](?:com\.(?:apple|dropbox)|user)\.[\w.#-]/i],
  // Checksums, signatures, and the sign of a program that a file is whole.
  ['litter', /^(?:md5|sha\d*|b2|b3|blake\d|check)-?sums?(?:\.(?:txt|asc|sig|gpg))?$/i],
  ['litter', /\.(?:md5|sha\d{1,3}|b2|b3|blake\d|xxh\d*|check)(?:sums?)?(?:\.txt)?$/i],
  ['litter', /\.(?:cksum|hash|sfv|crc\d*|sig|asc|par2|minisig)$/i],
  ['litter', /\.(?:ok|done|ready|rdy|success|complete|finished|fin|eof|end|go)$/i],
  ['litter', /\.(?:trg|trigger|ctl|flag|flg|semaphore|sem|lock|lck|pid)$/i],
  // Browsers, upload programs and syncers.
  [
    'transfer',
    /\.(?:part|partial|filepart|download|crdownload|opdownload|fdmdownload|aria2|lftp-pget-status)$/i,
  ],
  ['transfer', /\.(?:tmp|temp|dctmp|crswap|upload|uploading|writing|incomplete|in[_-]?progress)$/i],
  ['transfer', /\.(?:!sync|!ut|!qb|bc!)$/i],
  ['transfer', /\.~[0-9a-f]+$/i],
  ['csv', /\.(?:csv|xlsx)$/i],
  ['other', /(?:)/],
];

export const fileKindOf = (name: string): FileKind =>
  kinds.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other';
