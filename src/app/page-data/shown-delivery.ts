import { findKind } from '../../../connectors/registry.ts';
import type { ShownDelivery } from '../../http/admin.ts';
import type { Store } from '../../store/store.ts';
import type { ConnectorUnit } from '../units/connector-unit.ts';

interface Options {
  store: Pick<Store, 'deliveries'>;
  connectors: readonly Pick<ConnectorUnit, 'settings'>[];
}

/** A delivery as it is, and how it goes out where its connector can say that. */
export async function shownDelivery(
  { store, connectors }: Options,
  which: { n: number } | { id: string },
): Promise<ShownDelivery | undefined> {
  const delivery = await store.deliveries.get(which);
  if (delivery === undefined) return undefined;
  const unit = connectors.find(({ settings }) => settings.name === delivery.connector);
  const { use = '', isolate = true, incomplete, settings } = unit?.settings ?? {};
  // Code of others runs in its own process only.
  const isKnown = !isolate && !incomplete && !use.startsWith('notify:');
  const kind = isKnown ? await findKind(use).catch(() => undefined) : undefined;
  const { connector, clinic, sequence } = delivery;
  // A message about health or to people stands in no change log.
  const isChange = unit !== undefined && sequence > 0 && clinic !== '';
  const last = isChange ? await store.deliveries.cursor(connector, clinic) : undefined;
  return {
    delivery,
    request: kind?.requestOf?.(settings, { id: delivery.id }) ?? null,
    replay_to: last !== undefined && last >= sequence ? last : null,
  };
}
