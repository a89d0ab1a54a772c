import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Precisa de si', other: '{count} assuntos precisam de si' },
  told_reminder: { one: 'Ainda precisa de si', other: '{count} assuntos ainda precisam de si' },
  told_settled: { one: 'Resolvido', other: '{count} assuntos resolvidos' },
  told_trouble: { one: 'Avaria', other: 'Avaria em {count} pontos' },
  told_recovered: { one: 'Restabelecido', other: '{count} pontos voltaram a funcionar' },
  told_silence: { one: 'Sem pedidos', other: 'Sem pedidos de {count} origens' },
  told_test: 'Teste',
  told_since: 'Desde {time}.',
  told_over: 'Já passou, ao fim de {time}',
  told_unreached: 'Não foi possível contactar {name}.',
  told_perhaps: 'Talvez já tenha recebido este aviso.',
  open: 'Abrir',
  kind_probe: 'pedido de teste',
  kind_database: 'base de dados',
  kind_reading: 'leitura',
  kind_schedule: 'agendamento',
  kind_silence: 'silêncio',
  need_silence_day: 'Nenhum pedido de {name} há {what}; o habitual são {count} por dia.',
  need_silence_week: 'Nenhum pedido de {name} há {what}; o habitual são {count} por semana.',
  need_test: 'Isto é um teste do clinic-sync: as mensagens chegam aqui.',
  need_database_works: 'A base de dados voltou a funcionar.',
  todo_silence:
    'Envie um pedido e veja se chega: o formulário ou o site podem não estar a funcionar. Se estão fechados, indique até quando na página da clínica.',
  todo_test: 'Não é preciso fazer nada.',
  todo_booking: '“clinic-sync bookings show {name}” mostra-a.',
};
