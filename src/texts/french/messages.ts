import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'À traiter', other: '{count} points à traiter' },
  told_reminder: { one: 'Toujours à traiter', other: '{count} points toujours à traiter' },
  told_settled: { one: 'Réglé', other: '{count} points sont réglés' },
  told_trouble: { one: 'Incident', other: 'Incident sur {count} points' },
  told_recovered: { one: 'Rétabli', other: '{count} points fonctionnent à nouveau' },
  told_silence: { one: 'Aucune demande', other: 'Aucune demande de {count} sources' },
  told_test: 'Essai',
  told_since: 'Depuis {time}.',
  told_over: 'C’est terminé, après {time}',
  told_unreached: '{name} est injoignable.',
  told_perhaps: 'Vous avez peut-être déjà reçu cet avis.',
  open: 'Ouvrir',
  kind_probe: 'demande de test',
  kind_database: 'base de données',
  kind_reading: 'lecture',
  kind_schedule: 'planification',
  kind_silence: 'silence',
  need_silence_day: 'Aucune demande de {name} depuis {what}, d’habitude {count} par jour.',
  need_silence_week: 'Aucune demande de {name} depuis {what}, d’habitude {count} par semaine.',
  need_test: 'Ceci est un essai de clinic-sync : les messages arrivent ici.',
  need_database_works: 'La base de données fonctionne à nouveau.',
  todo_silence:
    'Envoyez-en une vous-même et voyez si elle arrive : le formulaire ou le site est peut-être en panne. Si vous êtes fermés, indiquez jusqu’à quand sur la page du cabinet.',
  todo_test: 'Il n’y a rien à faire.',
  todo_booking: '« clinic-sync bookings show {name} » la montre.',
};
