/** The channels of a hex colour such as `#0b6e6e`; undefined for any other text. */
function channels(colour: string): number[] | undefined {
  const [, long] =
    /^#([0-9a-f]{6})$/i.exec(colour.trim().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/i, '#$1$1$2$2$3$3')) ??
    [];
  return long?.match(/../g)?.map((pair) => Number.parseInt(pair, 16));
}

/** Relative luminance (WCAG 2.2) of a hex colour. */
export const luminance = (colour: string): number => lightOf(channels(colour) ?? []);

/** Contrast ratio from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const lightOf = (rgb: readonly number[]): number => {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The clinic's colour for the button with black or white text, whichever has more contrast (at least 4.5:1). */
export function buttonColours(colour: string | null): { ground: string; text: string } {
  const rgb = colour === null ? undefined : channels(colour);
  if (rgb === undefined) return { ground: '#0b6e6e', text: '#ffffff' };
  const light = lightOf(rgb);
  const ground = `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return { ground, text: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000' };
}
