/**
 * Web addresses carry signatures, end dates and cache busters that servers make anew for each answer. What an address
 * leads to is the rest of it.
 */

/** Also without a scheme, and from the root where a text begins so. */
const ADDRESS = /(?:(?:https?:)?\/\/|(?<=")\/(?=[^\s"/]))[^\s"'<>\\]+/gi;
/** Presigned addresses of the object stores and CDNs, and what image servers add against caches. */
const CHANGING = [
  /^(x-(amz|goog|oss|cos|obs|bce|ms)-.+|q-(sign|ak|key|header|url|signature).*)$/i,
  /^(sig|sign|signature|policy|key-pair-id|awsaccesskeyid|googleaccessid|ossaccesskeyid)$/i,
  /^(exp|expire|expires|expiry|ttl|valid(from|to|until)|st|se|sp|sv|sr|spr|sk\w{1,4})$/i,
  /^(token|access_?token|auth(_?key)?|jwt|hmac|hdnts|hdnea|__(gda|token|cld_token)__|ik-[st])$/i,
  /^(nonce|ts|timestamp|_+|cb|cache_?buster|no_?cache|rand(om)?|rnd)$/i,
];
const ID = /(^|[_-])u?id$|[a-z]Id$|^id/;
const TIME = /^(1[5-9]|2\d)\d{8}(\d{3})?$/;
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+=~.-]{24,}$/i;

const isChanging = (parameter: string): boolean => {
  const [name = '', value = ''] = parameter.split('=', 2);
  if (CHANGING.some((names) => names.test(name))) return true;
  return !ID.test(name) && (TIME.test(value) || RANDOM.test(value));
};

/** The same text with each address in it cut to the part that stays the same from answer to answer. */
export const withStableAddresses = (text: string): string =>
  text.includes('/') && /[?;]|\/s--/.test(text) ? text.replace(ADDRESS, stable) : text;

export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '');

function stable(address: string): string {
  const [before = '', ...query] = address.split('?');
  // Cloudinary signs in the path; Java servers add the session there.
  const path = before.replace(/\/s--[\w-]{6,}--\//, '/').replace(/;jsessionid=[^/?#]*/i, '');
  const parameters = query.join('?').split(/&(?:amp;)?/);
  const kept = parameters.filter((one) => one !== '' && !isChanging(one));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
