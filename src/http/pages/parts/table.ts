import { type Html, html, type Part } from '../../../platform/text/html.ts';

type Name =
  | 'state'
  | 'states'
  | 'patient'
  | 'visit'
  | 'choice'
  | 'why'
  | 'came'
  | 'actions'
  | 'today'
  | 'strip';

export interface PageColumn<Row> {
  title: string;
  /** Selector for the stylesheet, the same in every language. */
  name?: Name | undefined;
  /** Leads to the list in the order of this column. */
  href?: string;
  isSorted?: boolean;
  cell: (row: Row) => Part;
  /** Right-aligned. */
  figure?: boolean;
}

/**
 * On narrow screens the stylesheet turns each row into a card, with the column's title from `data-label`. Explicit
 * roles keep it a table for screen readers. `empty` is said instead of a table without rows; `total` is a last row.
 */
export function table<Row>(
  caption: string,
  columns: readonly PageColumn<Row>[],
  rows: readonly Row[],
  empty?: string,
  total?: Row,
): Html {
  if (rows.length === 0 && empty !== undefined) return html`<p class="empty">${empty}</p>`;
  const titleOf = ({ title, href }: PageColumn<Row>) =>
    href === undefined ? title : html`<a href="${href}">${title}</a>`;
  const [first, ...others] = columns;
  const named = ({ name }: PageColumn<Row>) => name && html` data-name="${name}"`;
  const side = (column: PageColumn<Row>) => column.figure && html` class="figure"`;
  const sorted = ({ isSorted }: PageColumn<Row>) => isSorted && html` aria-sort="ascending"`;
  return html`
    <table role="table">
      <caption class="unseen">${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(
            (column) => html`
              <th role="columnheader" scope="col"${named(column)}${side(column)}${sorted(column)}>
                ${titleOf(column)}
              </th>
            `,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${[...rows, ...(total === undefined ? [] : [total])].map(
          (row) => html`
            <tr role="row"${row === total && html` class="total"`}>
              <th role="rowheader" scope="row">${first?.cell(row)}</th>
              ${others.map(
                (column) =>
                  html`
                    <td role="cell"
                      data-label="${column.title}"${named(column)}${side(column)}>
                      <span>${column.cell(row)}</span>
                    </td>
                  `,
              )}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
