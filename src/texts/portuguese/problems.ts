import type { problemTexts as english } from '../../domain/problem-texts.ts';
import type { Translated } from '../catalogue.ts';

export const problems: Translated<typeof english> = {
  texts_cut: {
    one: '{place}: 1 texto é maior do que cabe numa célula e foi cortado.',
    other: '{place}: {count} textos são maiores do que cabe numa célula e foram cortados.',
  },
  file_unread: 'Não se consegue ler um ficheiro em {place} (EIO): verifique o disco.',
  files_failed: {
    one: '1 ficheiro em {place}: não foi marcado, ou não por inteiro. Ao lado, um .error.txt diz porquê; corrija-o, deposite-o de novo e apague-o ali.',
    other:
      '{count} ficheiros em {place}: não foram marcados, ou não por inteiro. Ao lado de cada um, um .error.txt diz porquê; corrija, deposite de novo e apague-o ali.',
  },
  files_other:
    '{names} em {place}: não é um ficheiro .csv nem um livro .xlsx, por isso não é marcado. Guarde-o ali como CSV ou mova-o para outro lugar.',
  files_unnameable: {
    one: 'Não se consegue abrir 1 ficheiro em {place}, porque o nome não está em UTF-8: mude-o para letras simples.',
    other:
      'Não se conseguem abrir {count} ficheiros em {place}, porque os nomes não estão em UTF-8: mude-os para letras simples.',
  },
  files_in_folders:
    '{names}: está numa pasta dentro de {place}, onde nada é lido. Mova-o diretamente para {place}.',
  files_online_only:
    '{names} em {place}: apenas um marcador de posição de uma unidade na nuvem, sem conteúdo. Torne-o disponível offline.',
  files_unsettled:
    '{names} em {place}: incompleto desde {since}, por isso não é lido. Copie-o de novo ou apague-o ali.',
  files_of_others:
    '{names} em {place}: o utilizador {user} não pode movê-lo, porque pertence a {owner}. Passe-o ao utilizador {user} ou retire o sticky bit da pasta; o resto continua.',
  files_not_ours:
    '{names} em {place}: não foi escrito pelo clinic-sync, ou foi alterado depois, por isso fica como está. Mude-lhe o nome ou mova-o, porque o clinic-sync precisa desse nome.',
  files_stuck:
    '{names} em {place}: não pode ser recolhido{code}. Feche-o onde estiver aberto ou mude o nome; o resto continua.',
  sheet_in_bin:
    'A folha de cálculo está no lixo do Google Drive: as linhas assinaladas são marcadas, tudo o resto fica parado. O proprietário restaura-a lá ou dá outra ao clinic-sync; a Google apaga-a após 30 dias.',
  sheet_full:
    'A folha de cálculo está cheia (a Google permite dez milhões de células): nada de novo é acrescentado. Apague linhas vazias, colunas ou separadores antigos.',
  tab_unmarked: '{place}: já não tem as marcas do clinic-sync e não é mantido em dia.',
  bookings_unmarked:
    '{place}: já não tem as marcas do clinic-sync; as linhas assinaladas NÃO são marcadas. Passe-as para o separador atual.',
  tab_gone:
    '{place}: o separador tinha desaparecido, por isso o clinic-sync cria outro ao fim de um minuto. O que alguém acrescentou está no histórico de versões; se não quer o separador, retire-o de `tabs`.',
  writes_undone:
    '{place}: o que o clinic-sync escreve não fica; cada leitura mostra as células anteriores. Procure um script na folha de cálculo, ou um proxy à frente da Google, que o desfaça.',
  tab_copied: '{place}: cópia de um separador mantido pelo clinic-sync; não é mantida em dia.',
  bookings_copied:
    '{place}: cópia de um separador mantido pelo clinic-sync; as linhas assinaladas NÃO são marcadas.',
  copy_ticked: {
    one: '1 linha assinalada numa cópia de Bookings NÃO está marcada. Passe-a para o separador atual.',
    other:
      '{count} linhas assinaladas numa cópia de Bookings NÃO estão marcadas. Passe-as para o separador atual.',
  },
  part_drop_downs: 'As listas pendentes de Bookings',
  part_stale_colour: 'A cor de STALE em Sync',
  part_age: 'A idade de {tab}',
  part_ages: 'A idade dos separadores',
  part_charts: 'Os gráficos de Overview',
  part_refused: '{place}: sem atualização. {detail}',
  id_column_gone:
    '{place}: a coluna ID (ou Clinic) foi apagada; as linhas não se distinguem e o separador fica como está. Anule a eliminação ou execute: clinic-sync connectors repair.',
  cells_drifted: {
    one: '{place}: 1 célula foi alterada à mão e deixada assim (on_drift: report).',
    other: '{place}: {count} células foram alteradas à mão e deixadas assim (on_drift: report).',
  },
  rows_doubled: {
    one: '{place}: {ids} está em mais de uma linha; as somas contam-no duas vezes. Apague a cópia.',
    other: '{place}: {ids} estão em mais de uma linha; as somas contam-nos duas vezes. Apague as cópias.',
  },
  rows_unknown: {
    one: '{place}: a linha {rows} não tem um ID ou Clinic conhecido; não é mantida em dia e as somas podem contá-la duas vezes. Apague-a.',
    other:
      '{place}: as linhas {rows} não têm um ID ou Clinic conhecido; não são mantidas em dia e as somas podem contá-las duas vezes. Apague-as.',
  },
  cells_hidden: {
    one: '{place}: 1 célula nossa está escondida em células unidas; não é lida nem escrita. Separe-as.',
    other:
      '{place}: {count} células nossas estão escondidas em células unidas; não são lidas nem escritas. Separe-as.',
  },
  cells_merged: {
    one: '{place}: 1 célula ou linha não está em dia, porque ali foram unidas células. Separe-as.',
    other: '{place}: {count} células ou linhas não estão em dia, porque ali foram unidas células. Separe-as.',
  },
  tab_protected: {
    one: '{place}: 1 célula ou linha não está em dia, porque o separador está protegido. Permita que o endereço do clinic-sync o edite.',
    other:
      '{place}: {count} células ou linhas não estão em dia, porque o separador está protegido. Permita que o endereço do clinic-sync o edite.',
  },
  range_protected: {
    one: '{place}: 1 célula ou linha não está em dia, porque o intervalo {range} está protegido. Permita que o endereço do clinic-sync o edite.',
    other:
      '{place}: {count} células ou linhas não estão em dia, porque o intervalo {range} está protegido. Permita que o endereço do clinic-sync o edite.',
  },
  columns_gone: {
    one: '{place}: a coluna {columns} não é mantida em dia: apagada ou sem a nossa marca. Para a reaver: clinic-sync connectors repair.',
    other:
      '{place}: as colunas {columns} não são mantidas em dia: apagadas ou sem a nossa marca. Para as reaver: clinic-sync connectors repair.',
  },
  fees_as_text: {
    one: '{place}: 1 preço está escrito como texto: uma folha de cálculo não guarda o número exato.',
    other:
      '{place}: {count} preços estão escritos como texto: uma folha de cálculo não guarda os números exatos.',
  },
  booking_columns_gone: {
    one: '{place}: a coluna {columns} foi apagada; nenhuma marcação é tirada do separador. Anule a eliminação ou execute: clinic-sync connectors repair.',
    other:
      '{place}: as colunas {columns} foram apagadas; nenhuma marcação é tirada do separador. Anule a eliminação ou execute: clinic-sync connectors repair.',
  },
  row_refused: '{place}: {ref} não foi aceite. {detail}',
  answers_closed: {
    one: '{place}: não se consegue escrever em 1 célula, porque está protegida ou unida. Permita que o endereço do clinic-sync edite Ref, State, Appointment, Message, Updated e Send.',
    other:
      '{place}: não se consegue escrever em {count} células, porque estão protegidas ou unidas. Permita que o endereço do clinic-sync edite Ref, State, Appointment, Message, Updated e Send.',
  },
  rows_changed:
    '{place}: alterado depois de enviado, por isso a clínica não sabe: {rows}.\nLigue para a clínica. Isto fica visível até a consulta passar ou a linha voltar a conter o que foi enviado.',
  rows_overtyped:
    '{place}: outro paciente foi escrito por cima de {rows} e NÃO tem marcação.\nEscreva-o numa linha própria.',
  columns_unmarked:
    '{place}: a coluna {columns} perdeu a nossa marca e não é atualizada.\nExecute: clinic-sync connectors repair.',
  booking_columns_unmarked:
    '{place}: a coluna {columns} perdeu a nossa marca, por isso nenhuma marcação é retirada do separador.\nExecute: clinic-sync connectors repair.',
  columns_moved:
    '{place}: {columns} foi cortada e colada noutro sítio, e a nossa marca ficou para trás; nada é lá escrito nem lido.\nExecute: clinic-sync connectors repair, que move a marca.',
  header_gone:
    '{place}: a linha dos cabeçalhos foi eliminada.\nPara a ter de volta: clinic-sync connectors repair.',
  cells_written_back:
    '{place}: um script, um suplemento ou alguém desfaz sempre o que o clinic-sync escreve: {cells}.\nProcure-o em Extensões e pare-o.',
  ref_closed:
    '{place}: nada é marcado a partir deste separador enquanto Ref estiver protegida ou unida.\nPermita ao endereço do clinic-sync editar Ref, State, Appointment, Message, Updated e Send.',
  erased_shown:
    '{place}: {refs}: a linha foi alterada depois de enviada, e a pessoa foi apagada entretanto. Apague o que ainda mostra dela, ou esvazie Ref se for sobre outra pessoa.',
  deliveries_held_up: {
    one: '1 evento espera desde {since} e é enviado de novo em {until}. {detail}',
    other: '{count} eventos esperam desde {since}; a próxima tentativa é em {until}. {detail}',
  },
};
