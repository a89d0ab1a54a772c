import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'archivos: se puede escribir en {place}',
  check_files_later: 'archivos: {place} aún no existe y se creará',
  check_inbox: 'entrada: se puede escribir en {place}',
  check_inbox_later: 'entrada: {place} aún no existe y se creará',
  check_free: '{size} libres para {place}',
  check_free_little: '{size} libres para {place}\nLibere espacio en ese disco.',
  check_xlsx: 'XLSX: números, fechas y ceros a la izquierda llegan tal cual',
  check_data: 'perfil data: valores exactos, para programas',
  check_excel:
    'perfil excel: seguro al abrir, pero una hoja de cálculo quita los ceros a la izquierda (017…); `format: xlsx` los conserva',
  check_inbox_clinic:
    'entrada: hay varias clínicas e inbox_clinic no está puesto\nPonga inbox_clinic, o dé a cada archivo una columna clinic.',
  check_key: 'clave: de {address} (la dirección con la que compartir la hoja)',
  check_key_open: 'clave: otros usuarios de este equipo pueden leer {file}\nEjecute: chmod 600 {file}',
  check_token: 'token: Google acepta la clave',
  check_read: 'lectura: «{title}» se puede leer',
  check_write: 'escritura: {address} puede cambiarla',
  check_bin:
    'papelera: no se pudo ver si la hoja está en la papelera de Google Drive\nEn la consola de Google Cloud abra «APIs & Services», busque «Google Drive API» y pulse «Enable».',
  check_keeper: 'la lleva: esta instalación',
  check_keeper_none: 'la lleva: nadie aún; la primera ejecución lo anota',
  check_columns:
    'columnas: a {place} le falta {columns}\nSe respeta. Para recuperarlas: clinic-sync connectors repair.',
  check_looks:
    'formatos: a {columns} de {place} le falta el formato o el aviso de una pestaña nueva; pueden perderse ceros o sobrescribirse respuestas\nPara ponerlos: clinic-sync connectors repair.',
  check_protection:
    'protección: un intervalo de {place} nos está cerrado\nEn «Datos», «Proteger hojas e intervalos», permita editarlo a la dirección de arriba.',
  check_copies:
    'pestañas: {tabs} es copia de una pestaña de clinic-sync y no se mantiene al día\nGuárdela como registro, o bórrela.',
  check_tabs: 'pestañas: {tabs}',
  check_tabs_later: 'pestañas: {tabs}; con la primera ejecución se crean: {missing}',
  check_month_first:
    'La hoja de cálculo ({locale}) lee 05/01/2027 como 1 de mayo, pero en {zone} significa 5 de enero.\nCámbielo en Archivo, Configuración, Configuración regional, o elija los días en el calendario; Message escribe cada día en letra.',
  check_locale: 'configuración regional {locale}, zona horaria {zone}',
  check_reachable: '{host} responde',
  check_certificate: '{host} responde y tiene un certificado válido',
  check_unencrypted: 'Los datos de pacientes salen sin cifrar\nUse https, o quite patient de include.',
  check_short_secret:
    'El secreto tiene menos de 24 bytes\nHaga uno con `openssl rand -base64 24` y ponga whsec_ delante.',
  check_form: 'el formulario de reserva está en {path}; se puede enviar desde allí',
  check_form_sites:
    'el formulario de reserva está en {path}; se puede enviar desde allí y desde formularios de {sites}',
  check_no_submission: 'aún no ha llegado ninguna solicitud',
};
