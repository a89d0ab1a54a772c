/** `#,##0.000" KWD"`: the number, with the currency's decimals (ISO 4217), and the currency. */
export function moneyFormat(currency: string | null): { type: 'NUMBER'; pattern: string } {
  if (currency === null || !/^[A-Z]{3}$/i.test(currency)) return { type: 'NUMBER', pattern: '#,##0.00' };
  const { maximumFractionDigits: decimals = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const places = decimals === 0 ? '' : `.${'0'.repeat(decimals)}`;
  return { type: 'NUMBER', pattern: `#,##0${places}" ${currency.toUpperCase()}"` };
}
