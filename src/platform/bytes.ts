const UNITS: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Parses `200MB` or `1.5 GB` (powers of 1000) into bytes; undefined when invalid. */
export function parseBytes(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([kKMGT]?B)$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : Math.round(Number(number) * factor);
}

/** Bytes for display, in the largest unit with a value of at least 1: `1.2 GB`, `200 MB`. */
export function formatBytes(bytes: number): string {
  for (const unit of ['TB', 'GB', 'MB', 'kB'] as const) {
    const amount = bytes / (UNITS[unit] ?? 1);
    if (amount >= 1) return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
  }
  return `${bytes} B`;
}
