import type { Translated } from '../catalogue.ts';
import type { messages as english } from '../english/messages.ts';

export const messages: Translated<typeof english> = {
  told_opened: { one: 'Requiere su atención', other: '{count} asuntos requieren su atención' },
  told_reminder: { one: 'Sigue requiriendo su atención', other: '{count} asuntos siguen pendientes' },
  told_settled: { one: 'Resuelto', other: '{count} asuntos resueltos' },
  told_trouble: { one: 'Avería', other: 'Avería en {count} puntos' },
  told_recovered: { one: 'Restablecido', other: '{count} puntos vuelven a funcionar' },
  told_silence: { one: 'Sin solicitudes', other: 'Sin solicitudes de {count} fuentes' },
  told_test: 'Prueba',
  told_since: 'Desde el {time}.',
  told_over: 'Ya pasó, después de {time}',
  told_unreached: 'No se puede contactar con {name}.',
  told_perhaps: 'Es posible que ya haya recibido este aviso.',
  open: 'Abrir',
  kind_probe: 'solicitud de prueba',
  kind_database: 'base de datos',
  kind_reading: 'lectura',
  kind_schedule: 'planificación',
  kind_silence: 'silencio',
  need_silence_day: 'Ninguna solicitud de {name} desde hace {what}; lo habitual son {count} al día.',
  need_silence_week: 'Ninguna solicitud de {name} desde hace {what}; lo habitual son {count} a la semana.',
  need_test: 'Esto es una prueba de clinic-sync: los mensajes llegan aquí.',
  need_database_works: 'La base de datos vuelve a funcionar.',
  todo_silence:
    'Envíe una de prueba y compruebe si llega: puede que el formulario o la web no funcionen. Si están cerrados, indique hasta cuándo en la página de la clínica.',
  todo_test: 'No hay que hacer nada.',
  todo_booking: '«clinic-sync bookings show {name}» la muestra.',
};
