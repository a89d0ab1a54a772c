export const textOf = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The cells of each table whose caption begins and ends so, without the total. */
export const tables = (page: string, caption: string, beginning = ''): string[][][] =>
  [...page.matchAll(/<caption[^>]*>([^<]*)<\/caption>[\s\S]*?<tbody[^>]*>([\s\S]*?)<\/tbody>/g)]
    .filter(([, title = '']) => title.startsWith(beginning) && title.endsWith(caption))
    .map(([, , rows = '']) =>
      rows
        .split('</tr>')
        .map((row) =>
          [...row.matchAll(/<t[hd] [^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)),
        )
        .filter((cells) => cells.length > 0 && cells[0] !== 'Total'),
    );
