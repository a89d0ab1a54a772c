import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'Google ya no acepta el inicio de sesión: se revocó o ha caducado.\nInicie sesión de nuevo: clinic-sync connectors login. Mientras la aplicación OAuth esté en «Testing», Google lo termina a los siete días: publíquela o póngala en «Internal».',
  google_client_unknown:
    'Google no conoce el cliente OAuth del inicio de sesión.\nDescargue de nuevo el JSON del cliente y luego: clinic-sync connectors login.',
  google_key_refused:
    'Google no acepta la clave de {address}: se revocó o borró, o la cuenta.\nCree una clave nueva para la cuenta de servicio (Keys, Add key, JSON) y sustituya la antigua.',
  google_clock:
    'Google no acepta nuestro inicio de sesión porque el reloj de este equipo está mal.\nPonga el reloj en hora (NTP) e inténtelo de nuevo.',
  google_account_disabled:
    'Google ha desactivado {address}.\nEn la consola de Google Cloud active la cuenta (IAM & Admin, Service accounts) o cree otra.',
  google_client_disabled:
    'Google ha desactivado {address}.\nEn la consola de Google Cloud revise las credenciales del proyecto o cree otras.',
  google_slow_down: 'Google nos pide ir más despacio ({status}).\nNo hay que hacer nada: sigue en un minuto.',
  google_token_refused: 'Google no ha aceptado nuestro token.\nEl próximo intento pide otro.',
  google_reauth:
    'Google pide a {address} que vuelva a iniciar sesión: la organización lo exige cada pocas horas.\nInicie sesión: clinic-sync connectors login. Lo evita una cuenta de servicio, o que el administrador de Google exima a la aplicación.',
  google_client_unauthorized:
    'Google no deja que este cliente inicie sesión como {address}: se ha eliminado o se creó para otro tipo de inicio de sesión.\nCree un cliente OAuth de tipo Aplicación de escritorio (o una clave nueva) y después: clinic-sync connectors login.',
  google_project_suspended:
    'Google ha suspendido el proyecto de Cloud de {address}.\nLea el correo de Google a su propietario y apele en la consola de Google Cloud, o use una cuenta de otro proyecto.',
  google_project_gone:
    'El proyecto de Cloud de {address} se ha eliminado.\nRestáurelo en un plazo de 30 días en la consola de Google Cloud (IAM y administración, Administrar recursos), o cree una cuenta en otro proyecto.',
  google_billing:
    'La facturación del proyecto de Cloud de {address} está desactivada, y Google la exige.\nActívela en la consola de Google Cloud, o use una cuenta de otro proyecto.',
  google_address_blocked:
    'Google rechaza las llamadas desde la dirección de red de este equipo.\nBusque restricciones por dirección en el cliente y en los niveles de acceso de la organización, y permita allí esta dirección.',
  google_other_reason:
    'Google se lo negó a {address}: {reason}.\nBusque ese motivo en la documentación de Google, o pregunte a su administrador de Google.',
  google_no_project:
    'Google no sabe a cuál de sus proyectos pertenecen nuestras llamadas.\nEjecute: gcloud auth application-default set-quota-project PROJECT, con uno que tenga activada la API de Google Sheets.',
  google_scope:
    'El inicio de sesión de {address} no incluye hojas de cálculo.\nInicie sesión para ellas: clinic-sync connectors login, o {login}. Una máquina virtual de Google necesita el ámbito {scope}.',
  google_api_off:
    'La API de Google Sheets está desactivada en el proyecto de la cuenta de servicio.\nEn la consola de Google Cloud abra «APIs & Services», busque «Google Sheets API» y pulse «Enable».',
  google_drive_full:
    'El Google Drive del propietario de la hoja está lleno.\nHaga sitio allí (también en Gmail y Fotos) o pase la hoja a alguien que lo tenga.',
  google_policy:
    'Las normas de su organización en Google se lo prohíben a {address}.\nPida a su administrador de Google que lo permita, o inicie sesión como persona de la organización: clinic-sync connectors login.',
  google_read_only:
    '{address} puede ver la hoja de cálculo, pero no cambiarla.\nCompártala con esta dirección como editor.',
  google_not_shared:
    'La hoja de cálculo no está compartida con {address}.\nCompártala con esta dirección como editor.',
  google_no_spreadsheet:
    'No hay ninguna hoja de cálculo con ese identificador: está mal escrito o la hoja se borró.\nCopie su dirección del navegador en `spreadsheet`; mire en la papelera de Google Drive.',
  google_typed_columns:
    'Google no acepta nuestras listas desplegables ni casillas donde alguien ha creado una tabla con tipos de columna.\nNo se pierde nada: los nombres se pueden escribir. Para recuperarlas, convierta esa tabla en datos sin formato.',
  google_protected:
    'Algo en la hoja de cálculo está protegido frente a {address}.\nEn «Datos», «Proteger hojas e intervalos», permita editar a esta dirección; lo demás sigue al día.',
  google_full:
    'La hoja de cálculo está llena: Google permite diez millones de celdas.\nBorre filas vacías, columnas o pestañas antiguas, o dé a clinic-sync una hoja de cálculo propia.',
  google_tab_gone: 'Se borró una pestaña.\nSe crea de nuevo.',
  google_excel:
    'El archivo es un libro de Excel en Google Drive, no una hoja de cálculo de Google.\nÁbralo y elija «Archivo», «Guardar como Hojas de cálculo de Google»; use luego la dirección del archivo nuevo.',
  google_changed: 'La hoja de cálculo cambió en ese mismo momento.\nSe lee otra vez.',
  google_refused:
    'Google ha rechazado lo que pedimos ({words}).\nEs un fallo del conector; comuníquelo con la hora.',
  google_cell_refused:
    'Google rechaza lo que clinic-sync escribe ahí{cell}: {words}.\nDeshaga lo último que se cambió ahí a mano (regla, tabla, combinación, protección); se vuelve a intentar antes de cinco minutos.',
  google_unreachable:
    'No se pudo llegar a Google{code}.\nSi sigue así, revise la red y que el cortafuegos permita sheets.googleapis.com y oauth2.googleapis.com.',
  google_certificate:
    'No hay conexión segura con Google{code}.\nAlgo responde en su lugar por el camino: exima a Google de la inspección en el cortafuegos o el proxy, o ponga en NODE_EXTRA_CA_CERTS el certificado de su autoridad de certificación.',
  google_redirect:
    'Google respondió con una redirección ({status}), que no se sigue.\nSi sigue así, quizá responda un proxy o un cortafuegos en su lugar.',
  google_web_page:
    'En lugar de Google ha respondido una página web ({status}).\nSi sigue así, deje pasar sheets.googleapis.com y oauth2.googleapis.com por el proxy, el cortafuegos o el portal de acceso de esta red.',
  google_odd_answer:
    'Lo que ha respondido en lugar de Google ({status}) no es lo que se pidió; no se ha usado nada de ello.\nSi sigue así, busque un proxy o cortafuegos que responda en lugar de Google.',
  google_status: 'Google respondió {status}.\nSe intenta de nuevo.',
  sheet_of_another:
    'La hoja de cálculo la lleva otra instalación de clinic-sync ({name}); no se escribe nada en ella ni se toma de ella ninguna reserva.\nSi aquella ya no funciona (o perdió su base de datos), ponga `adopt: {name}` y reinicie.',
  folder_denied:
    'Sin permiso para escribir en {place}.\nDeje que el usuario {user} lea y escriba allí (propietario u opciones del volumen), o elija otro directorio.',
  folder_read_only:
    '{place} está en un sistema de archivos de solo lectura.\nMonte el volumen con escritura, o elija otro directorio.',
  folder_is_file:
    '{place} no sirve de directorio: hay un archivo en su lugar.\nMueva ese archivo, o elija otro directorio.',
  share_away:
    'La carpeta de red de {place} no está montada, así que allí no se escribe nada.\nMóntela de nuevo. Si los archivos deben quedar ahí sin ella, ejecute clinic-sync connectors repair.',
  inbox_away:
    '{place} está vacío, aunque aquí ya se tomaron archivos: es probable que la carpeta de red no esté montada.\nMóntela de nuevo. Si el directorio debe estar vacío, cree en él el directorio done.',
  disk_full: 'No queda espacio para {place}.\nLibere espacio en ese disco; después se sigue escribiendo.',
  write_failed: 'No se pudo escribir en {place}{code}.\nRevise el disco o la carpeta de red.',
  file_in_use:
    'No se pudo reemplazar {place}{code}.\nCiérrelo donde esté abierto o permita que clinic-sync lo reemplace; los demás archivos están al día.',
  receiver_rejects: 'El receptor respondió {status}.\nMire su registro: no acepta este evento.',
  receiver_denies: 'El receptor respondió {status}.\nRevise el secreto y las cabeceras en ambos lados.',
  receiver_clock:
    'El receptor respondió {status}, y el reloj de esta máquina difiere del suyo en {minutes} min.\nAjuste el reloj (NTP): una firma solo vale unos minutos.',
  receiver_not_there: 'El receptor respondió {status}.\nRevise la url: allí no tiene nada.',
  receiver_no_post: 'El receptor respondió {status}.\nRevise la url: allí no admite POST.',
  receiver_gone:
    'El receptor respondió {status}.\nNo quiere más eventos. Quite el conector, o reanúdelo si es un error.',
  receiver_too_large: 'El receptor respondió {status}.\nPermítale contenidos mayores, o ponga thin: true.',
  receiver_slow_down: 'El receptor respondió {status}.\nAjuste rate a lo que permite.',
  receiver_redirect:
    'El receptor respondió {status}.\nLas redirecciones no se siguen: ponga la nueva dirección en url.',
  receiver_broken: 'El receptor respondió {status}.\nTiene él mismo un fallo; mire su registro.',
  receiver_web_page:
    'El receptor respondió {status} con una página web, cosa que nunca había hecho.\nCompruebe que la url sigue llevando al receptor: quizá su dominio pasó a otras manos o un portal responde en su lugar.',
  receiver_status: 'El receptor respondió {status}.',
  paused_by: 'En pausa por {who}.',
  paused_by_person: 'Alguien lo puso en pausa.',
  paused_outage:
    'Durante un día no se pudo entregar nada ({detail}). No se ha perdido nada; se intenta cada hora.',
};
