package conversation

import "testing"

func TestWhoAnsweredInPortuguese(t *testing.T) {
	t.Parallel()
	utterances{
		machine: []string{
			"Sua chamada está sendo encaminhada para a caixa postal. / E estará sujeita a cobrança após o sinal.",
			"Oi, você ligou para a Ana. / Não posso atender agora.", "Deixe seu recado após o sinal.",
			"O número que você ligou está desligado ou fora da área de cobertura.",
			"Olá, não posso atender a sua chamada. Deixe mensagem.", "Esta é a caixa postal de João.",
			"Deixa o teu nome e número depois do bip.", "O cliente para o qual está a ligar não está disponível.",
			"Você ligou para a família Silva. Não estamos disponíveis no momento. / Ligue mais tarde.",
			"Grave sua mensagem após o bipe.", "Retornarei a ligação assim que puder.",
			"De momento não é possível estabelecer a ligação.",
		},
		perhaps: []string{"Você ligou para a Ana.", "Não estamos disponíveis no momento."},
		full: []string{
			"A caixa postal está cheia.", "A caixa de mensagens está cheia e não pode receber mais mensagens.",
			"O cliente não configurou a caixa postal.", "O número discado não existe.",
		},
		screening: []string{
			"Oi. Se você gravar seu nome e o motivo da ligação, vou ver se esta pessoa está disponível.",
			"A pessoa para quem você está ligando usa o filtro de ligações do Google e receberá uma cópia desta " +
				"conversa.",
			"Diga o seu nome e por que está ligando.",
			"Sou o assistente virtual da Ana. Qual é o motivo da sua ligação?",
		},
		menu: []string{
			"Para vendas, digite 1. Para suporte, digite 2.", "Todos os nossos atendentes estão ocupados.",
			"Sua ligação é muito importante para nós.", "Esta ligação poderá ser gravada.",
		},
		hold: []string{
			"Um momento, por favor.", "Espera aí, que vou chamar ela.", "Não desligue.", "Só um minutinho.",
			"Vou ver se ele está em casa.",
		},
		robot: []string{
			"É um robô?", "Você é um robô?", "Estou falando com uma máquina?", "É uma gravação?",
			"Você é uma pessoa de verdade?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Você ligou para o número errado.", "É engano.", "Número errado.",
				"Aqui não tem ninguém com esse nome.", "Ela não mora mais aqui.", "Não conheço essa pessoa.",
				"Esse não é mais o número dele.", "Ele se mudou.", "Não mora ninguém aqui com esse nome.",
			},
			Deceased: []string{
				"Ele faleceu no mês passado.", "Meu marido morreu.", "Ela morreu em março.",
				"Minha mãe faleceu há dois anos.", "Infelizmente ele faleceu.", "Ela já não está entre nós.",
				"Desculpe, faleceu.", "O senhor Silva morreu.",
			},
			Minor: []string{
				"Minha mãe não está.", "Meu pai está dormindo.", "Meus pais não estão em casa.", "Tenho sete anos.",
				"Eu só tenho seis anos.", "Sou uma criança.", "Não posso falar com estranhos.",
				"Quer falar com a minha mãe?",
			},
			Busy: []string{
				"Estou dirigindo.", "Estou em reunião.", "Não posso falar agora.", "Não é um bom momento.",
				"Não tenho tempo.", "Estou muito ocupado.", "Estou no trabalho.", "Agora não dá para falar.",
				"É uma má hora.",
			},
			CallBack: []string{
				"Me ligue em uma hora.", "Pode ligar mais tarde?", "Estou dirigindo, me ligue daqui a uma hora.",
				"Ligue amanhã.", "Me liga hoje à noite.", "Ligue na segunda.", "Não me ligue antes do meio-dia.",
				"Podemos falar amanhã?", "Volta às seis.", "Me dá meia hora.",
			},
			WantsHuman: []string{
				"Posso falar com um ser humano?", "Quero falar com um atendente.", "Me passa para um atendente.",
				"Não falo com máquinas.", "Atendente, por favor.", "Quero uma pessoa de verdade.",
				"Não quero falar com um robô.", "Quero falar com uma pessoa.",
			},
		},
		callBack: map[string]string{
			"Me ligue em uma hora.":               "2026-11-25 11:07",
			"Me ligue daqui a vinte minutos.":     "2026-11-25 10:27",
			"Me ligue em meia hora.":              "2026-11-25 10:37",
			"Me ligue daqui a duas horas.":        "2026-11-25 12:07",
			"Me ligue amanhã de manhã.":           "2026-11-26 09:00",
			"Me ligue amanhã.":                    "2026-11-26 10:07",
			"Me ligue hoje à noite.":              "2026-11-25 19:00",
			"Me ligue às quatro.":                 "2026-11-25 16:00",
			"Me ligue às quatro e meia.":          "2026-11-25 16:30",
			"Me ligue às 16h30.":                  "2026-11-25 16:30",
			"Me ligue às quatro horas.":           "2026-11-25 16:00",
			"Me ligue na segunda.":                "2026-11-30 10:07",
			"Me ligue na sexta às duas da tarde.": "2026-11-27 14:00",
			"Me ligue depois das cinco.":          "2026-11-25 17:00",
			"Não me ligue antes do meio-dia.":     "2026-11-25 12:00",
			"Pode ligar mais tarde?":              "",
		},
		person: []string{
			"Não há nenhum problema.", "Não tem ninguém.", "Não conheço nenhum médico.", "Sim.", "Não.", "Alô?",
			"Sim, alô?", "Sou eu.", "Quem fala?", "Sim, na segunda.", "Amanhã de manhã.", "Às quatro.", "Em uma hora.",
			"Deixei um recado com a enfermeira.", "Não veio ninguém.", "Ele me ligou de volta na segunda.",
			"Semana passada eu estava ocupado.", "Na segunda estou ocupado.", "Meu telefone morreu ontem.",
			"Tenho setenta anos.", "Sim, moro aqui.", "Não, não moro sozinho.", "Minha mãe me levou.",
			"Falei com um médico.", "Era o remédio errado.", "Não tenho dor.", "Minha consulta é amanhã.", "Ainda não.",
			"Talvez mais tarde.", "Meu marido está aqui.", "Tenho uma pergunta.", "Não, o médico não estava.",
			"Não sei.", "Liguei para o médico.",
		},
	}.checkWho(t, "pt-BR")
}
