import type { checkTexts as english } from '../../domain/check-texts.ts';
import type { Translated } from '../catalogue.ts';

export const checks: Translated<typeof english> = {
  check_files: 'ficheiros: pode-se escrever em {place}',
  check_files_later: 'ficheiros: {place} ainda não existe e será criada',
  check_inbox: 'entrada: pode-se escrever em {place}',
  check_inbox_later: 'entrada: {place} ainda não existe e será criada',
  check_free: '{size} livres para {place}',
  check_free_little: '{size} livres para {place}\nLiberte espaço nesse disco.',
  check_xlsx: 'XLSX: números, datas e zeros à esquerda chegam como são',
  check_data: 'perfil data: valores exatos, para programas',
  check_excel:
    'perfil excel: seguro ao abrir, mas uma folha de cálculo tira os zeros à esquerda (017…); `format: xlsx` guarda-os',
  check_inbox_clinic:
    'entrada: há várias clínicas e inbox_clinic não está definido\nDefina inbox_clinic, ou dê a cada ficheiro uma coluna clinic.',
  check_key: 'chave: de {address} (o endereço com que partilhar a folha)',
  check_key_open: 'chave: outros utilizadores desta máquina podem ler {file}\nExecute: chmod 600 {file}',
  check_token: 'token: a Google aceita a chave',
  check_read: 'leitura: «{title}» pode ser lida',
  check_write: 'escrita: {address} pode alterá-la',
  check_bin:
    'lixo: não se conseguiu ver se a folha está no lixo do Google Drive\nNa consola da Google Cloud, abra «APIs & Services», procure «Google Drive API» e prima «Enable».',
  check_keeper: 'mantida por: esta instalação',
  check_keeper_none: 'mantida por: ainda ninguém; a primeira execução regista-o',
  check_columns:
    'colunas: a {place} falta {columns}\nFica assim. Para as reaver: clinic-sync connectors repair.',
  check_looks:
    'formatos: a {columns} de {place} falta o formato ou o aviso de um separador novo; podem perder-se zeros ou ser substituídas respostas\nPara os definir: clinic-sync connectors repair.',
  check_protection:
    'proteção: um intervalo de {place} está-nos fechado\nEm «Dados», «Proteger folhas e intervalos», permita que o endereço acima o edite.',
  check_copies:
    'separadores: {tabs} é cópia de um separador do clinic-sync e não é mantida em dia\nGuarde-a como registo, ou apague-a.',
  check_tabs: 'separadores: {tabs}',
  check_tabs_later: 'separadores: {tabs}; criados na primeira execução: {missing}',
  check_month_first:
    'A folha de cálculo ({locale}) lê 05/01/2027 como 1 de maio, mas em {zone} significa 5 de janeiro.\nMude-o em Ficheiro, Definições, Local, ou escolha os dias no calendário; Message diz cada dia por extenso.',
  check_locale: 'região {locale}, fuso horário {zone}',
  check_reachable: '{host} responde',
  check_certificate: '{host} responde e tem um certificado válido',
  check_unencrypted: 'Os dados dos pacientes saem sem cifra\nUse https, ou tire patient de include.',
  check_short_secret:
    'O segredo tem menos de 24 bytes\nFaça um com `openssl rand -base64 24` e ponha whsec_ antes.',
  check_form: 'o formulário de marcação está em {path}; pode ser enviado daí',
  check_form_sites:
    'o formulário de marcação está em {path}; pode ser enviado daí e de formulários de {sites}',
  check_no_submission: 'ainda não chegou nenhum pedido',
};
