import { expect, it } from 'vitest';
import { pagesIn, partOf } from './part-of-list.ts';

it.each([
  [
    { meta: { current_page: 1, last_page: 3, total: 40 }, links: { next: 'https://x/?page=2' } },
    'page 1 of 3 (15 of 40)',
  ],
  [{ current_page: 2, last_page: 3 }, 'page 2 of 3'],
  [{ pagination: { page: 1, totalPages: 2 } }, 'page 1 of 2'],
  [{ meta: { pagination: { total: 40, count: 15 } } }, '15 of 40 rows'],
  [{ total: '40' }, '15 of 40 rows'],
  [{ total_count: 16 }, '15 of 16 rows'],
  [{ has_more: true }, 'one page of several'],
  [{ next_page_url: 'https://x/?page=2' }, 'one page of several'],
  [{ links: { next: '/treatments?page=2' } }, 'one page of several'],
  [{ paging: { next_cursor: 'abc' } }, 'one page of several'],
  [{ _links: { next: { href: '/treatments?page=2' } } }, 'one page of several'],
  [{ nextPageToken: 'abc' }, 'one page of several'],
  [{ count: 40 }, '15 of 40 rows'],
  [{ '@odata.nextLink': 'https://x/?$skip=15' }, 'one page of several'],
  [{ '@odata.count': 40 }, '15 of 40 rows'],
])('says that an answer is a part: %j', (beside, words) => {
  expect(partOf({ success: true, data: [], ...beside }, 15)).toContain(words);
});

it.each([
  [{}],
  [{ meta: { current_page: 1, last_page: 1, total: 15 }, links: { next: null } }],
  [{ total: 15, has_more: false, next_page_url: null }],
  [{ total: 15, next: '' }],
  [{ message: 'Total 40 patients', statistics: { total: 40 } }],
  [{ meta: { page: 1, pages: 1 } }],
  [{ count: 15, next: null, _links: { self: { href: '/treatments' } } }],
])('takes an answer for whole that says nothing of the kind: %j', (beside) => {
  expect(partOf({ success: true, data: [], ...beside }, 15)).toBeUndefined();
});

it.each([
  [{ 'x-wp-total': '40', 'x-wp-totalpages': '3' }, 'page 1 of 3 (15 of 40)'],
  [{ 'x-total-count': '40' }, '15 of 40 rows'],
  [{ 'x-next-page': '2', 'x-total': '40' }, '15 of 40 rows'],
  [{ 'x-pagination-page-count': '3' }, 'page 1 of 3'],
  [{ link: '<https://x/?page=1>; rel="prev", <https://x/?page=3>; rel="next"' }, 'one page of several'],
  [{ 'content-range': 'items 0-14/40' }, '15 of 40 rows'],
])('says that an answer is a part by its headers: %j', (headers, words) => {
  expect(partOf({ data: [] }, 15, pagesIn(headers))).toContain(words);
});

it.each([
  [{ 'x-wp-total': '15', 'x-wp-totalpages': '1' }],
  [{ 'x-next-page': '', 'x-total': '15', 'x-page': '1' }],
  [{ link: '<https://x/wp-json/>; rel="https://api.w.org/"' }],
  [{ 'content-range': '0-14/*', 'x-count': '40', 'x-request-id': 'next' }],
])('takes an answer for whole whose headers say nothing of the kind: %j', (headers) => {
  expect(partOf({ data: [] }, 15, pagesIn(headers))).toBeUndefined();
});
