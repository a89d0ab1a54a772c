import { type Html, html } from '../../platform/text/html.ts';
import type { ShownDelivery } from '../admin.ts';
import { deliveryTone } from './connector-page.ts';
import { card } from './parts/card.ts';
import { english } from './parts/connector-words.ts';
import { badge, layout, type Viewer } from './parts/layout.ts';
import { operationButton } from './parts/operation-button.ts';

interface DeliveryPage {
  shown: ShownDelivery;
  viewer: Viewer;
  now: number;
}

/** One delivery: how far it is, what is sent, and how to send it again. */
export function deliveryPage({ shown: { delivery, request, replay_to }, viewer, now }: DeliveryPage): string {
  const { t, number, time } = viewer.locale;
  const { n, id, connector, clinic, sequence, type, thing, state, attempts, body, ...at } = delivery;
  return layout({
    title: `${type} ${n}`,
    viewer,
    body: html`
      <p class="up"><a href="/connectors/${encodeURIComponent(connector)}">${connector}</a></p>
      <div class="heading">
        <h1>${type}</h1><span class="faint">${thing}</span>
        ${badge(deliveryTone[state], t(`delivery_${state}`))}
        <div class="buttons">
          ${
            state === 'dead' &&
            (['retry', 'skip'] as const).map((verb) =>
              operationButton(viewer, `/admin/connectors/:name/deliveries/${verb}`, connector, {
                fields: { id },
              }),
            )
          }
          ${
            replay_to !== null &&
            operationButton(viewer, '/admin/connectors/:name/deliveries/replay', connector, {
              question: t('replay_sure', { connector, clinic, from: sequence, last: replay_to }),
              fields: { from: String(sequence), clinic },
            })
          }
        </div>
      </div>
      <section class="card" aria-label="${t('state')}">
        ${at.last_error !== null && html`<p class="fault">${english(at.last_error)}</p>`}
        <dl class="facts">
          <div><dt>${t('when')}</dt><dd>${time(at.created_at, now, '–')}</dd></div>
          <div><dt>${t('attempts')}</dt><dd>${number(attempts)}</dd></div>
          ${
            state === 'pending' &&
            html`<div><dt>${t('next_try')}</dt><dd>${time(at.next_attempt_at, now, '–')}</dd></div>`
          }
          ${
            at.delivered_at !== null &&
            html`<div><dt>${t('delivery_delivered')}</dt><dd>${time(at.delivered_at, now, '–')}</dd></div>`
          }
        </dl>
      </section>
      ${card({ id: 'request', title: t('request') }, requestOf(request, id))}
      ${card({ id: 'body', title: t('body') }, html`<pre tabindex="0">${readable(body)}</pre>`)}
    `,
  });
}

function requestOf(request: ShownDelivery['request'], id: string): Html {
  if (request === null) return html`<p><code>${id}</code></p>`;
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return html`<pre tabindex="0">${[`POST … ${request.to}`, ...lines].join('\n')}</pre>`;
}

/** The exact bytes are one line of JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
