import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 texto es más largo de lo que cabe en una celda y se ha cortado.',
    other: '{place}: {count} textos son más largos de lo que cabe en una celda y se han cortado.',
  },
  file_unread: 'Un archivo de {place} no se puede leer (EIO): revise el disco.',
  files_failed: {
    one: '1 archivo en {place}: no se ha reservado, o no entero. A su lado, un .error.txt dice por qué; corríjalo, déjelo de nuevo y bórrelo allí.',
    other:
      '{count} archivos en {place}: no se han reservado, o no enteros. Junto a cada uno, un .error.txt dice por qué; corríjalo, déjelo de nuevo y bórrelo allí.',
  },
  files_other:
    '{names} en {place}: no es un archivo .csv ni un libro .xlsx, por eso no se reserva. Guárdelo allí como CSV o llévelo a otra parte.',
  files_unnameable: {
    one: '1 archivo de {place} no se puede abrir porque su nombre no está en UTF-8: cámbielo por letras sencillas.',
    other:
      '{count} archivos de {place} no se pueden abrir porque sus nombres no están en UTF-8: cámbielos por letras sencillas.',
  },
  files_in_folders:
    '{names}: está en una carpeta dentro de {place}, donde no se lee nada. Muévalo directamente a {place}.',
  files_online_only:
    '{names} en {place}: solo es un marcador de posición de una unidad en la nube, sin contenido. Haga que esté disponible sin conexión.',
  files_unsettled:
    '{names} en {place}: incompleto desde el {since}, por eso no se lee. Cópielo de nuevo o bórrelo allí.',
  files_of_others:
    '{names} en {place}: el usuario {user} no puede moverlo porque pertenece a {owner}. Asígneselo al usuario {user} o quite el sticky bit de la carpeta; lo demás continúa.',
  files_not_ours:
    '{names} en {place}: no lo ha escrito clinic-sync o se ha cambiado después, por eso queda como está. Cámbiele el nombre o llévelo a otra parte, porque clinic-sync necesita ese nombre.',
  files_stuck:
    '{names} en {place}: no se puede recoger{code}. Ciérrelo donde esté abierto o cámbiele el nombre; lo demás continúa.',
  sheet_in_bin:
    'La hoja de cálculo está en la papelera de Google Drive: las filas marcadas se reservan, todo lo demás queda parado. Su propietario la restaura allí o da otra a clinic-sync; Google la borra a los 30 días.',
  sheet_full:
    'La hoja de cálculo está llena (Google permite diez millones de celdas): no se añade nada nuevo. Borre filas vacías, columnas o pestañas antiguas.',
  tab_unmarked: '{place}: ya no tiene las marcas de clinic-sync y no se mantiene al día.',
  bookings_unmarked:
    '{place}: ya no tiene las marcas de clinic-sync; las filas marcadas NO se reservan. Páselas a la pestaña actual.',
  tab_gone:
    '{place}: la pestaña había desaparecido, así que clinic-sync crea otra al cabo de un minuto. Lo que alguien añadió está en el historial de versiones; si no quiere la pestaña, quítela de `tabs`.',
  writes_undone:
    '{place}: lo que escribe clinic-sync no se queda; cada lectura muestra las celdas anteriores. Busque un script en la hoja de cálculo, o un proxy delante de Google, que lo deshaga.',
  tab_copied: '{place}: copia de una pestaña que lleva clinic-sync; no se mantiene al día.',
  bookings_copied: '{place}: copia de una pestaña que lleva clinic-sync; las filas marcadas NO se reservan.',
  copy_ticked: {
    one: '1 fila marcada en una copia de Bookings NO está reservada. Pásela a la pestaña actual.',
    other:
      '{count} filas marcadas en una copia de Bookings NO están reservadas. Páselas a la pestaña actual.',
  },
  part_drop_downs: 'Las listas desplegables de Bookings',
  part_stale_colour: 'El color de STALE en Sync',
  part_age: 'La antigüedad de {tab}',
  part_ages: 'La antigüedad de las pestañas',
  part_charts: 'Los gráficos de Overview',
  part_refused: '{place}: sin actualizar. {detail}',
  id_column_gone:
    '{place}: se borró la columna ID (o Clinic); las filas no se pueden distinguir y la pestaña queda como está. Deshaga el borrado o ejecute: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 celda se cambió a mano y se deja así (on_drift: report).',
    other: '{place}: {count} celdas se cambiaron a mano y se dejan así (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} está en más de una fila; las sumas lo cuentan dos veces. Borre la copia.',
    other: '{place}: {ids} están en más de una fila; las sumas los cuentan dos veces. Borre las copias.',
  },
  rows_unknown: {
    one: '{place}: la fila {rows} no tiene un ID o Clinic conocido; no se mantiene al día y las sumas pueden contarla dos veces. Bórrela.',
    other:
      '{place}: las filas {rows} no tienen un ID o Clinic conocido; no se mantienen al día y las sumas pueden contarlas dos veces. Bórrelas.',
  },
  cells_hidden: {
    one: '{place}: 1 celda nuestra está oculta en celdas combinadas; no se lee ni se escribe. Sepárelas.',
    other:
      '{place}: {count} celdas nuestras están ocultas en celdas combinadas; no se leen ni se escriben. Sepárelas.',
  },
  cells_merged: {
    one: '{place}: 1 celda o fila no está al día porque allí se combinaron celdas. Sepárelas.',
    other: '{place}: {count} celdas o filas no están al día porque allí se combinaron celdas. Sepárelas.',
  },
  tab_protected: {
    one: '{place}: 1 celda o fila no está al día porque la pestaña está protegida. Permita editarla a la dirección de clinic-sync.',
    other:
      '{place}: {count} celdas o filas no están al día porque la pestaña está protegida. Permita editarla a la dirección de clinic-sync.',
  },
  range_protected: {
    one: '{place}: 1 celda o fila no está al día porque el intervalo {range} está protegido. Permita editarlo a la dirección de clinic-sync.',
    other:
      '{place}: {count} celdas o filas no están al día porque el intervalo {range} está protegido. Permita editarlo a la dirección de clinic-sync.',
  },
  columns_gone: {
    one: '{place}: la columna {columns} no se mantiene al día: borrada o sin nuestra marca. Para recuperarla: clinic-sync connectors repair.',
    other:
      '{place}: las columnas {columns} no se mantienen al día: borradas o sin nuestra marca. Para recuperarlas: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 tarifa está escrita como texto: una hoja de cálculo no puede guardar el número exacto.',
    other:
      '{place}: {count} tarifas están escritas como texto: una hoja de cálculo no puede guardar los números exactos.',
  },
  booking_columns_gone: {
    one: '{place}: se borró la columna {columns}; no se toma ninguna reserva de la pestaña. Deshaga el borrado o ejecute: clinic-sync connectors repair.',
    other:
      '{place}: se borraron las columnas {columns}; no se toma ninguna reserva de la pestaña. Deshaga el borrado o ejecute: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} no se ha aceptado. {detail}',
  answers_closed: {
    one: '{place}: 1 celda no se puede escribir porque está protegida o combinada. Permita a la dirección de clinic-sync editar Ref, State, Appointment, Message, Updated y Send.',
    other:
      '{place}: {count} celdas no se pueden escribir porque están protegidas o combinadas. Permita a la dirección de clinic-sync editar Ref, State, Appointment, Message, Updated y Send.',
  },
  rows_changed:
    '{place}: cambiado después de enviarlo, así que la clínica no lo sabe: {rows}.\nLlame a la clínica. Se muestra hasta que pase la cita o hasta que la fila vuelva a contener lo que se envió.',
  rows_overtyped:
    '{place}: se escribió otro paciente encima de {rows} y NO tiene reserva.\nEscríbalo en una fila propia.',
  columns_unmarked:
    '{place}: la columna {columns} perdió nuestra marca y no se mantiene al día.\nEjecute: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: la columna {columns} perdió nuestra marca, así que no se toma ninguna reserva de la pestaña.\nEjecute: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} se cortó y se pegó en otro sitio, y nuestra marca quedó atrás; allí no se escribe ni se lee nada.\nEjecute: clinic-sync connectors repair. Mueve la marca.',
  header_gone:
    '{place}: se borró la fila de los encabezados.\nPara recuperarla: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: un script, un complemento o alguien deshace una y otra vez lo que escribe clinic-sync: {cells}.\nBúsquelo en Extensiones y deténgalo.',
  ref_closed:
    '{place}: no se reserva nada de esta pestaña mientras Ref esté protegida o combinada.\nPermita a la dirección de clinic-sync editar Ref, State, Appointment, Message, Updated y Send.',
  erased_shown:
    '{place}: {refs}: la fila se cambió después de enviarla, y desde entonces se borró a la persona. Borre lo que aún muestra de ella, o vacíe Ref si es de otra persona.',
  deliveries_held_up: {
    one: '1 evento espera desde el {since} y se envía otra vez el {until}. {detail}',
    other: '{count} eventos esperan desde el {since}; el próximo intento es el {until}. {detail}',
  },
};
