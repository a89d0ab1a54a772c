import type { targetTexts as english } from '../../domain/target-texts.ts';
import type { Translated } from '../catalogue.ts';

export const targets: Translated<typeof english> = {
  target_answered: '{host} respondió {answer}.\n{remedy}',
  target_unproven:
    '{host} respondió {answer}, pero no como {service}: no se avisó a nadie.\nAhí responde otra cosa, como la página de acceso de un proxy. Revise la dirección y la red.',
  heartbeat_unproven:
    '{host} respondió {answer}, que no es el acuse de ningún monitor.\nRevise la dirección: cópiela de nuevo del monitor.',
  target_unsure:
    '{host} recibió el mensaje y no respondió.\nCompruebe si llegó; se envía otra vez, como repetición.',
  target_plain:
    '{host} no aceptó un mensaje ({answer}), y sí en forma sencilla.\nEl mensaje solo llevaba la referencia; lo demás está en la página.',
  target_content:
    '{host} no aceptó un mensaje ({answer}), ni siquiera en forma sencilla.\nSu contenido se envía de nuevo más tarde. Compruebe para qué tipo de destino es la dirección.',
  target_busy: 'El destino recibe demasiados mensajes. Temporal: este se envía de nuevo solo.',
  target_broken: 'El destino mismo falla. Temporal: el mensaje se envía de nuevo solo.',
  target_redirect: 'No se siguen redirecciones: ponga la dirección a la que redirige.',
  target_denied: 'Revise el token o el secreto, y que se pueda escribir ahí.',
  target_not_there: 'La dirección no existe o fue revocada. Cópiela de nuevo o cree otra.',
  target_refuses: 'Compruebe para qué tipo de destino es la dirección.',
  slack_archived: 'El canal está archivado: restáurelo o cree un webhook para otro canal.',
  slack_gone: 'El webhook fue eliminado: cree otro en Slack y copie su dirección.',
  slack_forbidden: 'El espacio de trabajo no lo permite: pregunte a su administrador.',
  slack_channel: 'El canal fue eliminado: cree un webhook para otro.',
  telegram_chat: 'Revise `chat`: añada el bot al grupo, o haga que la persona escriba una vez al bot.',
  telegram_out: 'El bot fue bloqueado o expulsado: desbloquéelo o añádalo de nuevo.',
  telegram_rights: 'Permita que el bot escriba en este chat: en un canal debe ser administrador.',
  telegram_token: 'El token es incorrecto o fue revocado: pídalo de nuevo a @BotFather.',
  telegram_topic: 'El tema está cerrado o eliminado: corrija `thread` o reabra el tema.',
  telegram_moved:
    'El grupo pasó a ser un supergrupo; se usa su nuevo número {answer}.\nPonga el nuevo número en `chat`.',
  teams_off: 'El flujo está desactivado o eliminado: actívelo en Power Automate.',
  ntfy_quota:
    'Se agotó el límite diario de este tema o dirección: espere, o use una cuenta mayor o un servidor propio.',
  mail_refused:
    '{host} rechazó el correo en {step} ({answer}).\nRevise from y to, y que este servidor pueda enviar por usted.',
  mail_later: '{host} aplazó el correo en {step} ({answer}).\nTemporal: se envía de nuevo solo.',
  mail_closed: '{host} cerró la conexión en {step}.\nTemporal: el correo se envía de nuevo solo.',
  mail_silent:
    '{host} no respondió en {step}.\nEl correo se envía de nuevo solo. Si sigue así, revise puerto y cifrado: 465 es smtps://, 587 es smtp://.',
  mail_no_smtp: '{host} no habla SMTP ahí.\nRevise host y puerto: 465 es smtps://, 587 es smtp://.',
  mail_sign_in: '{host} rechazó el acceso ({answer}).\nRevise el usuario y la contraseña.',
  mail_token:
    '{host} no dio un token de acceso ({answer}).\nAcceda de nuevo y ponga el nuevo refresh token; revise client_id y client_secret.',
  mail_basic_off:
    '{host} ya no admite contraseñas de programas ({answer}).\nUse `oauth` (docs/notifications.md), o pida a un administrador que permita SMTP AUTH para este buzón.',
  mail_app_password:
    '{host} pide una contraseña de aplicación ({answer}).\nCree una en la cuenta de Google (Seguridad, Verificación en dos pasos, Contraseñas de aplicaciones) y úsela como contraseña.',
  mail_sign_in_needed: '{host} pide acceso ({answer}).\nPonga user y password.',
  mail_relay:
    '{host} no reenvía nuestro correo a otros ({answer}).\nPonga user y password, o permita ahí el reenvío para este equipo.',
  mail_sender:
    '{host} no acepta el remitente ({answer}).\nPonga en from una dirección que esta cuenta pueda usar.',
  mail_hello:
    '{host} no acepta el nombre con que saludamos ({answer}).\nPonga en `hello` un nombre de equipo que acepte.',
  mail_blocked:
    '{host} no acepta correo de nuestra dirección de Internet ({answer}).\nEnvíe por el servidor de su proveedor, con user y password.',
  mail_limit:
    'En {host} se alcanzó un límite de esta cuenta ({answer}).\nEl correo se envía de nuevo solo. Si sigue así, pida al proveedor un límite mayor.',
  mail_no_tls:
    '{host} no ofrece cifrado, y sin él nunca se envía la contraseña.\nUse smtps:// u otro puerto.',
  mail_tls: '{host} no pudo pasar al cifrado.\nRevise su certificado o indique `ca_file`.',
  mail_recipient: 'El destinatario {n} de {all} es rechazado ({answer}).\nCorrija la dirección en to.',
  mail_recipient_full:
    'El buzón del destinatario {n} de {all} está lleno ({answer}).\nSu dueño debe hacer sitio; el próximo correo se intenta otra vez.',
  mail_recipient_later:
    'El destinatario {n} de {all} está aplazado ({answer}).\nTemporal: el correo se le envía de nuevo solo.',
  mail_open:
    '{host} acepta correo sin cifrar: otros pueden leerlo por el camino.\nPonga `tls: required`, o acceda con user.',
  target_told: 'el último mensaje llegó el {day}',
  target_idle:
    'desde el {day} no hubo nada que enviar, así que nada muestra que siga funcionando\nPruebe: clinic-sync notify test {name}.',
  target_never: 'todavía no llegó ningún mensaje\nPruebe: clinic-sync notify test {name}.',
  target_owed: 'pendiente desde {since}, sin comunicar aún: {number}',
};
