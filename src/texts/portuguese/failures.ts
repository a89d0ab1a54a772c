import type { failureTexts as english } from '../../domain/failure-texts.ts';
import type { Translated } from '../catalogue.ts';

export const failures: Translated<typeof english> = {
  google_sign_in_ended:
    'A Google já não aceita o início de sessão: foi revogado ou expirou.\nInicie sessão de novo: clinic-sync connectors login. Enquanto a aplicação OAuth estiver em «Testing», a Google termina cada sessão ao fim de sete dias: publique-a ou ponha-a em «Internal».',
  google_client_unknown:
    'A Google não conhece o cliente OAuth do início de sessão.\nTransfira de novo o JSON do cliente e depois: clinic-sync connectors login.',
  google_key_refused:
    'A Google não aceita a chave de {address}: a chave ou a conta foi revogada ou apagada.\nCrie uma chave nova para a conta de serviço (Keys, Add key, JSON) e substitua a antiga.',
  google_clock:
    'A Google não aceita o nosso início de sessão porque o relógio desta máquina está errado.\nAcerte o relógio (NTP) e tente de novo.',
  google_account_disabled:
    'A Google desativou {address}.\nNa consola da Google Cloud, ative a conta (IAM & Admin, Service accounts) ou crie outra.',
  google_client_disabled:
    'A Google desativou {address}.\nNa consola da Google Cloud, veja as credenciais do projeto ou crie outras.',
  google_slow_down:
    'A Google pede que abrandemos ({status}).\nNão há nada a fazer: continua dentro de um minuto.',
  google_token_refused: 'A Google não aceitou o nosso token.\nA próxima tentativa pede outro.',
  google_reauth:
    'A Google pede que {address} volte a iniciar sessão: a organização exige-o de poucas em poucas horas.\nInicie sessão: clinic-sync connectors login. Uma conta de serviço evita-o, ou uma exceção para a aplicação dada pelo administrador Google.',
  google_client_unauthorized:
    'A Google não deixa este cliente iniciar sessão como {address}: foi eliminado ou serve para outro tipo de início de sessão.\nCrie um cliente OAuth do tipo App para computador (ou uma chave nova) e depois: clinic-sync connectors login.',
  google_project_suspended:
    'A Google suspendeu o projeto Cloud de {address}.\nLeia o e-mail da Google ao proprietário e recorra na consola do Google Cloud, ou use uma conta de outro projeto.',
  google_project_gone:
    'O projeto Cloud de {address} foi eliminado.\nRestaure-o no prazo de 30 dias na consola do Google Cloud (IAM e administração, Gerir recursos), ou crie uma conta noutro projeto.',
  google_billing:
    'A faturação do projeto Cloud de {address} está desligada, e a Google exige-a.\nLigue-a na consola do Google Cloud, ou use uma conta de outro projeto.',
  google_address_blocked:
    'A Google recusa chamadas do endereço de rede deste computador.\nProcure restrições por endereço no cliente e nos níveis de acesso da organização, e permita lá este endereço.',
  google_other_reason:
    'A Google recusou-o a {address}: {reason}.\nProcure este motivo na documentação da Google, ou pergunte ao seu administrador Google.',
  google_no_project:
    'A Google não sabe a qual dos seus projetos pertencem as nossas chamadas.\nExecute: gcloud auth application-default set-quota-project PROJECT, com um projeto que tenha a API Google Sheets ativada.',
  google_scope:
    'O início de sessão de {address} não inclui folhas de cálculo.\nInicie sessão para elas: clinic-sync connectors login, ou {login}. Uma máquina virtual da Google precisa do âmbito {scope}.',
  google_api_off:
    'A API Google Sheets está desligada no projeto da conta de serviço.\nNa consola da Google Cloud, abra «APIs & Services», procure «Google Sheets API» e prima «Enable».',
  google_drive_full:
    'O Google Drive do proprietário da folha está cheio.\nLiberte espaço lá (também no Gmail e no Fotos), ou passe a folha a quem o tenha.',
  google_policy:
    'As regras da sua organização na Google proíbem isto a {address}.\nPeça ao administrador da Google que o permita, ou inicie sessão como pessoa da organização: clinic-sync connectors login.',
  google_read_only:
    '{address} pode ver a folha de cálculo, mas não alterá-la.\nPartilhe-a com este endereço como editor.',
  google_not_shared:
    'A folha de cálculo não está partilhada com {address}.\nPartilhe-a com este endereço como editor.',
  google_no_spreadsheet:
    'Não há nenhuma folha de cálculo com este id: está mal escrito, ou a folha foi apagada.\nCopie o endereço dela do navegador para `spreadsheet`; veja no lixo do Google Drive.',
  google_typed_columns:
    'A Google não aceita as nossas listas pendentes e caixas onde alguém criou uma tabela com tipos de coluna.\nNada se perde: os nomes podem ser escritos. Para as reaver, converta essa tabela em dados sem formatação.',
  google_protected:
    'Algo na folha de cálculo está protegido contra {address}.\nEm «Dados», «Proteger folhas e intervalos», permita que este endereço edite; o resto continua em dia.',
  google_full:
    'A folha de cálculo está cheia: a Google permite dez milhões de células.\nApague linhas vazias, colunas ou separadores antigos, ou dê ao clinic-sync uma folha de cálculo própria.',
  google_tab_gone: 'Um separador foi apagado.\nÉ criado de novo.',
  google_excel:
    'O ficheiro é um livro do Excel no Google Drive, não uma folha da Google.\nAbra-o e escolha «Ficheiro», «Guardar como Google Sheets»; depois use o endereço do ficheiro novo.',
  google_changed: 'A folha de cálculo foi alterada no mesmo instante.\nÉ lida outra vez.',
  google_refused:
    'A Google recusou o que pedimos ({words}).\nÉ uma falha do conector; comunique-a com a hora.',
  google_cell_refused:
    'A Google recusa o que o clinic-sync escreve aí{cell}: {words}.\nDesfaça o que aí foi alterado à mão por último (regra, tabela, união, proteção); nova tentativa dentro de cinco minutos.',
  google_unreachable:
    'Não se conseguiu chegar à Google{code}.\nSe continuar, verifique a rede e se a firewall permite sheets.googleapis.com e oauth2.googleapis.com.',
  google_certificate:
    'Não há ligação segura à Google{code}.\nAlgo responde em seu lugar pelo caminho: isente a Google da inspeção na firewall ou no proxy, ou ponha em NODE_EXTRA_CA_CERTS o certificado da autoridade deles.',
  google_redirect:
    'A Google respondeu com um redirecionamento ({status}), que não é seguido.\nSe continuar, talvez responda um proxy ou uma firewall em vez da Google.',
  google_web_page:
    'Em vez da Google respondeu uma página web ({status}).\nSe continuar, deixe passar sheets.googleapis.com e oauth2.googleapis.com pelo proxy, pela firewall ou pelo portal de acesso desta rede.',
  google_odd_answer:
    'O que respondeu em vez da Google ({status}) não é o que foi pedido; nada disso foi usado.\nSe continuar, procure um proxy ou uma firewall que responda em vez da Google.',
  google_status: 'A Google respondeu {status}.\nTenta-se de novo.',
  sheet_of_another:
    'A folha de cálculo é mantida por outra instalação do clinic-sync ({name}); nada é escrito nela e nenhuma marcação é tirada dela.\nSe essa já não funciona (ou perdeu a base de dados), ponha `adopt: {name}` e reinicie.',
  folder_denied:
    'Sem permissão para escrever em {place}.\nDeixe o utilizador {user} ler e escrever aí (proprietário ou opções do volume), ou escolha outra pasta.',
  folder_read_only:
    '{place} está num sistema de ficheiros só de leitura.\nMonte o volume com escrita, ou escolha outra pasta.',
  folder_is_file:
    '{place} não pode servir de pasta: está um ficheiro no seu lugar.\nMude esse ficheiro de sítio, ou escolha outra pasta.',
  share_away:
    'A pasta de rede de {place} não está montada, por isso nada se escreve ali.\nMonte-a de novo. Se os ficheiros devem ficar ali sem ela, execute clinic-sync connectors repair.',
  inbox_away:
    '{place} está vazia, embora aqui já se tenham recebido ficheiros: a pasta de rede não deve estar montada.\nMonte-a de novo. Se a pasta deve estar vazia, crie nela a pasta done.',
  disk_full: 'Já não há espaço para {place}.\nLiberte espaço nesse disco; depois a escrita continua.',
  write_failed: 'A escrita em {place} falhou{code}.\nVerifique o disco ou a pasta de rede.',
  file_in_use:
    'Não foi possível substituir {place}{code}.\nFeche-o onde estiver aberto, ou deixe o clinic-sync substituí-lo; os outros ficheiros estão em dia.',
  receiver_rejects: 'O destinatário respondeu {status}.\nVeja o registo dele: não aceita este evento.',
  receiver_denies: 'O destinatário respondeu {status}.\nVerifique o segredo e os cabeçalhos dos dois lados.',
  receiver_clock:
    'O destinatário respondeu {status}, e o relógio desta máquina difere do dele em {minutes} min.\nAcerte o relógio (NTP): uma assinatura só vale alguns minutos.',
  receiver_not_there: 'O destinatário respondeu {status}.\nVerifique o url: não tem nada aí.',
  receiver_no_post: 'O destinatário respondeu {status}.\nVerifique o url: não aceita POST aí.',
  receiver_gone:
    'O destinatário respondeu {status}.\nNão quer mais eventos. Retire o conector, ou retome-o se for engano.',
  receiver_too_large:
    'O destinatário respondeu {status}.\nPermita-lhe conteúdos maiores, ou ponha thin: true.',
  receiver_slow_down: 'O destinatário respondeu {status}.\nAcerte rate pelo que ele permite.',
  receiver_redirect:
    'O destinatário respondeu {status}.\nOs redirecionamentos não são seguidos: ponha o novo endereço em url.',
  receiver_broken: 'O destinatário respondeu {status}.\nTem ele próprio uma avaria; veja o registo dele.',
  receiver_web_page:
    'O destinatário respondeu {status} com uma página web, o que nunca tinha feito.\nVerifique se o url ainda leva ao destinatário: o domínio pode ter mudado de dono, ou um portal responde em vez dele.',
  receiver_status: 'O destinatário respondeu {status}.',
  paused_by: 'Em pausa por {who}.',
  paused_by_person: 'Alguém pôs em pausa.',
  paused_outage:
    'Durante um dia nada se conseguiu entregar ({detail}). Nada se perdeu; tenta-se de hora a hora.',
};
