import { labelKey } from './field-labels.ts';

/** The meaning of an appointment's status. `unknown`: a status whose meaning is not configured. */
const visitOutcomes = ['booked', 'completed', 'cancelled', 'no_show'] as const;
type VisitOutcome = (typeof visitOutcomes)[number];
export type StatusOutcome = VisitOutcome | 'unknown';
/** What became of a lead. `booked`: its visit is still to come. */
export type LeadOutcome = StatusOutcome | 'open' | 'lost';

/** Common statuses in the twelve languages of the pages. */
const common: Record<VisitOutcome, readonly string[]> = {
  booked: [
    'pending, confirmed, unconfirmed, scheduled, rescheduled, booked, requested, approved, accepted, waiting, arrived',
    'checked in, in progress, upcoming, new',
    'قيد الانتظار, معلق, مؤكد, مجدول, محجوز',
    'অপেক্ষমাণ, অপেক্ষমান, নিশ্চিত, নির্ধারিত',
    'in afwachting, bevestigd, gepland, geboekt',
    'en attente, confirmé, confirmée, planifié, planifiée, prévu, prévue, réservé, réservée',
    'ausstehend, bestätigt, gebucht, geplant, vereinbart, eingetroffen, wartend',
    'लंबित, पुष्ट, पुष्टि, निर्धारित',
    'in attesa, confermato, confermata, prenotato, prenotata, programmato, programmata',
    'oczekujący, oczekująca, potwierdzony, potwierdzona, zaplanowany, zaplanowana, umówiony, umówiona',
    'pendente, confirmado, confirmada, agendado, agendada, marcado, marcada',
    'pendiente, programado, programada, reservado, reservada',
    'beklemede, bekliyor, onaylandı, planlandı',
  ],
  completed: [
    'completed, complete, done, finished, attended, fulfilled, treated, checked out',
    'مكتمل, اكتمل, منتهي',
    'সম্পন্ন',
    'voltooid, afgerond',
    'terminé, terminée, effectué, effectuée, honoré',
    'abgeschlossen, erledigt, wahrgenommen, erschienen',
    'पूर्ण, पूरा, संपन्न',
    'completato, completata, concluso, conclusa, effettuato, effettuata',
    'zakończony, zakończona, zrealizowany, zrealizowana',
    'concluído, concluída, realizado, realizada, finalizado, finalizada, atendido, atendida',
    'completado, completada',
    'tamamlandı, bitti',
  ],
  cancelled: [
    'cancelled, canceled, cancelled by patient, cancelled by clinic, canceled by patient, canceled by clinic, declined',
    'ملغي, ملغى, ألغي',
    'বাতিল',
    'geannuleerd, afgezegd',
    'annulé, annulée',
    'storniert, abgesagt',
    'रद्द',
    'annullato, annullata, disdetto, disdetta',
    'anulowany, anulowana, odwołany, odwołana',
    'cancelado, cancelada, desmarcado, desmarcada',
    'anulado, anulada',
    'iptal, iptal edildi',
  ],
  no_show: [
    'no show, noshow, did not attend, dna, missed, failed to attend',
    'لم يحضر, غائب',
    'অনুপস্থিত, আসেননি',
    'niet verschenen, niet gekomen',
    'absent, absente, non venu, non honoré',
    'nicht erschienen, versäumt',
    'अनुपस्थित, नहीं आए',
    'assente, non presentato, non presentata',
    'nieobecny, nieobecna, nie przyszedł, nie przyszła',
    'faltou, não compareceu',
    'ausente, no asistió, no se presentó',
    'gelmedi',
  ],
};

/** Ignores case, spaces, dashes and the dot of a Turkish İ. */
export const statusKeyOf = (status: string): string => labelKey(status).replaceAll('\u0307', '');

const commonKeys = new Map(
  visitOutcomes.flatMap((outcome) =>
    common[outcome].flatMap((line) => line.split(', ').map((word) => [statusKeyOf(word), outcome] as const)),
  ),
);

/** A clinic's own statuses, by meaning. */
type OwnStatuses = Readonly<Partial<Record<VisitOutcome, readonly string[]>>>;

/** Reads a status; the clinic's own meanings take precedence. */
export function outcomeReader(own: OwnStatuses): (status: string) => StatusOutcome {
  const keys = new Map(commonKeys);
  for (const outcome of visitOutcomes)
    for (const status of own[outcome] ?? []) keys.set(statusKeyOf(status), outcome);
  return (status) => keys.get(statusKeyOf(status)) ?? 'unknown';
}

/**
 * Whether a status is one of these, or another word for it: `Canceled` and `Terminé` for `Cancelled` and `Completed`.
 */
export function finalReader(
  listed: readonly string[],
  outcomeOf: (status: string) => StatusOutcome,
): (status: string) => boolean {
  const keys = new Set(listed.map(statusKeyOf));
  const outcomes = new Set<StatusOutcome>(
    listed.map(outcomeOf).filter((one) => one !== 'unknown' && one !== 'booked'),
  );
  return (status) => keys.has(statusKeyOf(status)) || outcomes.has(outcomeOf(status));
}
