import type { networkTexts as english } from '../../platform/network-texts.ts';
import type { Translated } from '../catalogue.ts';

export const network: Translated<typeof english> = {
  net_private:
    '{name} solo tiene direcciones privadas o locales, que se rechazan{detail}.\nSi el receptor debe estar ahí, añada su red a allow_networks.',
  net_proxy:
    'No se pudo acceder a {name} por el proxy de salida{detail}.\nRevise HTTPS_PROXY o HTTP_PROXY: dirección, usuario, contraseña y si el proxy deja pasar hacia ese host; o nombre el host en NO_PROXY.',
  net_no_host: 'No se encontró {name}{detail}.\nRevise el nombre del host ({setting}) y el DNS.',
  net_dns: 'No se pudo resolver {name}{detail}.\nEl DNS no respondió; revise la red.',
  net_refused:
    '{name} rechazó la conexión{detail}.\nCompruebe que funciona, y la dirección y el puerto ({setting}).',
  net_reset: '{name} cerró la conexión{detail}.\nMire su registro y el de cualquier proxy intermedio.',
  net_no_connection:
    'La conexión con {name} no se estableció a tiempo{detail}.\nRevise la dirección y el puerto ({setting}), la red y los cortafuegos intermedios.',
  net_slow:
    '{name} no respondió a tiempo{detail}.\nMire su carga y su registro; si solo es lento, aumente timeout donde exista ese ajuste.',
  net_no_way: 'No se pudo acceder a {name}{detail}.\nRevise la red y el cortafuegos.',
  net_other: 'No se pudo acceder a {name}{detail}.\nRevise la dirección ({setting}) y la red.',
  cert_expired:
    '{name} tiene un certificado caducado{detail}.\nPida a quien lo administra que lo renueve. Si otros pueden conectarse, ajuste el reloj de esta máquina.',
  cert_early:
    '{name} tiene un certificado que todavía no es válido{detail}.\nAjuste el reloj de esta máquina (NTP); si está bien, avise a quien lo administra.',
  cert_name:
    '{name} tiene un certificado para otro nombre{detail}.\nUse un nombre del certificado ({setting}), o pida a quien lo administra que añada el que falta.',
  cert_self_signed:
    '{name} tiene un certificado autofirmado{detail}.\nPida a quien lo administra que use uno de una autoridad conocida, o indique en {trust} el archivo de ese certificado.',
  cert_authority:
    '{name} tiene un certificado de una autoridad desconocida{detail}.\nSi la autoridad es la suya, o la de un cortafuegos que inspecciona TLS, indique en {trust} el archivo de su certificado.',
  cert_chain:
    '{name} no envía su certificado intermedio{detail}.\nPida a quien lo administra que instale la cadena completa; los navegadores funcionan sin ella. Si la autoridad es la suya, indique en {trust} el archivo de su certificado.',
  cert_revoked: '{name} tiene un certificado revocado{detail}.\nPida a quien lo administra que lo sustituya.',
  cert_weak:
    '{name} tiene un certificado con una clave o firma demasiado débil{detail}.\nPida a quien lo administra que lo sustituya: 2048 bits y SHA-256 son lo mínimo.',
  tls_client:
    '{name} pide un certificado de cliente, y no tenemos ninguno{detail}.\nPida a quien lo administra que admita a este cliente sin él.',
  tls_old:
    '{name} solo habla una versión anticuada de TLS{detail}.\nPida a quien lo administra que active TLS 1.2 o 1.3.',
  tls_no_name:
    '{name} no tiene certificado para este nombre{detail}.\nRevise el nombre del host ({setting}); si está bien, avise a quien lo administra.',
  tls_ciphers:
    '{name} no comparte ningún cifrado con nosotros, o pide un certificado de cliente{detail}.\nPida a quien lo administra que active TLS 1.2 o 1.3 con los cifrados habituales.',
  tls_none: '{name} no habla TLS ahí{detail}.\nRevise http o https, y el puerto ({setting}).',
  tls_other:
    '{name} no pudo acordar una conexión segura con nosotros{detail}.\nAvise a quien lo administra: su registro dice la causa.',
  http_over_tls: '{name} habla TLS ahí{detail}.\nEscriba https, o revise el puerto ({setting}).',
  http_none: '{name} no habla HTTP ahí{detail}.\nRevise el puerto ({setting}) y qué escucha en él.',
  http_lines:
    '{name} incumple HTTP: sus líneas terminan solo en LF{detail}.\nAvise a quien lo administra: hay que corregir ese servidor o un proxy delante de él.',
  http_length:
    '{name} incumple HTTP: indica dos veces la longitud de su respuesta{detail}.\nAvise a quien lo administra: hay que corregir ese servidor o un proxy delante de él.',
  http_header:
    '{name} incumple HTTP: una cabecera tiene un carácter no permitido{detail}.\nAvise a quien lo administra: hay que corregir ese servidor o un proxy delante de él.',
  http_headers:
    '{name} envía más cabeceras de las que se leen{detail}.\nAvise a quien lo administra: 16 kB de cabeceras son lo máximo.',
  http_broken:
    '{name} incumple HTTP{detail}.\nAvise a quien lo administra: hay que corregir ese servidor o un proxy delante de él.',
};
