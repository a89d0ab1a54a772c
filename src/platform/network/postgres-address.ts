/**
 * Host and name of the database in an address `postgres://USER:PASSWORD@HOST:5432/NAME`, for messages: never user or
 * password. Undefined if it is not such an address.
 */
export function placeInAddress(address: string): string | undefined {
  const parsed = URL.parse(address);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) return undefined;
  const { pathname, search, hash, searchParams } = parsed;
  // An unencoded character of the password ended it early: the rest of it would be taken for the host and the name.
  if (/[@#]/.test(`${pathname}${search}${hash}`)) return undefined;
  try {
    return `${searchParams.get('host') ?? parsed.host}${decodeURIComponent(pathname)}`;
  } catch {
    return undefined;
  }
}
