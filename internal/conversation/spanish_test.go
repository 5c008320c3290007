package conversation

import "testing"

func TestWhoAnsweredInSpanish(t *testing.T) {
	t.Parallel()
	utterances{
		machine: []string{
			"Ha llamado a María. / En este momento no puedo contestar. Te llamaré más tarde.",
			"El teléfono al que llama está apagado o fuera de cobertura en este momento.",
			"Deje su mensaje después de la señal.", "Hola, este es el buzón de voz de Ana.",
			"El número que usted marcó no está disponible.", "Su llamada será transferida al buzón de voz.",
			"Hola, soy Juan. / No puedo atender tu llamada. Deja un mensaje.",
			"El cliente al que ha llamado no está disponible. / Por favor, inténtelo más tarde.",
			"Le devolveré la llamada lo antes posible.", "Por favor, grabe su mensaje al escuchar el tono.",
			"Se ha comunicado con el contestador de la familia López.", "Después del bip, deja tu nombre y tu número.",
		},
		perhaps: []string{"No está disponible.", "Ha llamado a la familia López."},
		full: []string{
			"El buzón de voz está lleno.", "El buzón está lleno y no puede recibir más mensajes.",
			"El usuario no ha configurado su buzón de voz.", "El número marcado no existe.",
		},
		screening: []string{
			"Hola, si grabas tu nombre y el motivo de tu llamada, veré si esta persona está disponible.",
			"La persona a la que llamas usa un filtro de llamadas de Google y recibirá una copia de esta conversación.",
			"Diga su nombre y por qué llama.", "Soy el asistente virtual de Ana. ¿Cuál es el motivo de su llamada?",
		},
		menu: []string{
			"Para ventas, pulse 1. Para soporte, pulse 2.", "Para español, oprima el dos.",
			"Todos nuestros agentes están ocupados. Su llamada es muy importante.",
			"Esta llamada puede ser grabada por motivos de calidad.",
		},
		hold: []string{
			"Un momento, por favor.", "Espere un momento, ahora se la paso.", "No cuelgue.", "Ahora se pone.",
			"Sí, un segundo.",
		},
		robot: []string{
			"¿Es un robot?", "¿Es usted una persona real?", "¿Estoy hablando con una máquina?",
			"¿Es una grabación?",
		},
		intents: map[Intent][]string{
			WrongPerson: []string{
				"Se ha equivocado de número.", "Número equivocado.", "Aquí no hay nadie con ese nombre.",
				"Aquí no vive ninguna María.", "Ya no vive aquí.", "No conozco a esa persona.",
				"Este ya no es su número.", "No, está equivocado.", "Ella se mudó el año pasado.",
			},
			Deceased: []string{
				"Falleció el mes pasado.", "Mi marido ha fallecido.", "Ella murió en marzo.", "Lo siento, él murió.",
				"El señor García falleció hace dos años.", "Mi madre ya no está con nosotros.", "Está muerto.",
				"Lo enterramos ayer.", "Ya murió.",
			},
			Minor: []string{
				"Mi mamá no está.", "Mis papás no están en casa.", "Tengo siete años.", "Solo tengo seis años.",
				"Soy un niño.", "Mi papá está trabajando.", "No puedo hablar con extraños.",
				"¿Quiere hablar con mi mamá?", "Mi mami está en la ducha.",
			},
			Busy: []string{
				"Estoy manejando.", "Estoy conduciendo ahora.", "Estoy en una reunión.", "Ahora no puedo hablar.",
				"No es un buen momento.", "No tengo tiempo.", "Estoy muy ocupado.", "Me pilla en un mal momento.",
				"No, estoy trabajando.",
			},
			CallBack: []string{
				"Llámeme en una hora.", "¿Puede llamar más tarde?", "Estoy conduciendo, llámeme dentro de una hora.",
				"Vuelva a llamar mañana.", "Llámame esta tarde.", "No me llame antes de las doce.",
				"Llame el lunes, por favor.", "¿Podemos hablar mañana?", "Mejor más tarde.", "Deme media hora.",
			},
			WantsHuman: []string{
				"¿Puedo hablar con una persona?", "Quiero hablar con un humano.", "Páseme con un agente.",
				"No hablo con máquinas.", "Operador, por favor.", "Quiero una persona real.",
				"No quiero hablar con un robot.", "¿Hay alguien de verdad?", "Comuníqueme con un operador.",
			},
		},
		callBack: map[string]string{
			"Llámeme en una hora.":                      "2026-11-25 11:07",
			"Llámeme dentro de veinte minutos.":         "2026-11-25 10:27",
			"Llámeme en media hora.":                    "2026-11-25 10:37",
			"Llámeme en hora y media.":                  "2026-11-25 11:37",
			"Llámeme mañana por la mañana.":             "2026-11-26 09:00",
			"Llámeme mañana.":                           "2026-11-26 10:07",
			"Llámeme esta noche.":                       "2026-11-25 20:00",
			"Llámeme a las cuatro.":                     "2026-11-25 16:00",
			"Llámeme a las cuatro y media.":             "2026-11-25 16:30",
			"Llámeme a las cinco menos cuarto.":         "2026-11-25 16:45",
			"Llámeme el lunes.":                         "2026-11-30 10:07",
			"Llámeme el viernes a las dos de la tarde.": "2026-11-27 14:00",
			"Llámeme después de las cinco.":             "2026-11-25 17:00",
			"No me llame antes de las doce.":            "2026-11-25 12:00",
			"Llámeme mañana a las 9 de la mañana.":      "2026-11-26 09:00",
			"Llámeme más tarde.":                        "",
		},
		person: []string{
			"Mi papá está en el hospital.", "Aquí no hay ningún problema.", "No hay nadie aquí.",
			"No conozco a ningún médico.", "No me viene bien el lunes.", "Sí.", "No.", "¿Hola?", "Dígame.",
			"Sí, soy yo.", "¿Quién es?", "Sí, el lunes.", "Mañana por la mañana.", "A las cuatro.", "En una hora.",
			"Dejé un mensaje con la enfermera.", "No me han llamado.", "Me llamó el lunes.",
			"La semana pasada estuve ocupado.", "El lunes estoy ocupado.", "Mi teléfono murió ayer.",
			"Tengo setenta años.", "Sí, vivo aquí.", "No, no vivo solo.", "Mi mamá me llevó.",
			"Hablé con una persona de su oficina.", "No vino nadie.", "Era la medicina equivocada.", "No tengo dolor.",
			"Mi cita es mañana.", "Todavía no.", "Quizás más tarde.", "Sí, mi marido está aquí.",
			"No, el médico no estaba.", "Tengo una pregunta.",
		},
	}.checkWho(t, "es-ES")
}
