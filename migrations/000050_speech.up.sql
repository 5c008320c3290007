-- How an agent speaks and listens, as in the API. What is absent has its default. It replaces the voice, which
-- was the carrier's name of it, sent without its provider.
alter table agent add column speech jsonb not null default '{}';

with known as (
	select provider, locale, voice
	from (values
	('en-US', 'google', 'en-US-Chirp3-HD-Aoede en-US-Chirp3-HD-Kore en-US-Chirp3-HD-Leda en-US-Chirp3-HD-Zephyr
		en-US-Neural2-C en-US-Neural2-E en-US-Neural2-F en-US-Neural2-G en-US-Neural2-H en-US-Wavenet-C
		en-US-Wavenet-E en-US-Wavenet-F en-US-Wavenet-G en-US-Wavenet-H en-US-Journey-O en-US-Standard-C
		en-US-Standard-E en-US-Standard-F en-US-Standard-G en-US-Standard-H'),
	('en-US', 'google', 'en-US-Chirp3-HD-Charon en-US-Chirp3-HD-Fenrir en-US-Chirp3-HD-Orus en-US-Chirp3-HD-Puck
		en-US-Neural2-A en-US-Neural2-D en-US-Neural2-I en-US-Neural2-J en-US-Wavenet-A en-US-Wavenet-B
		en-US-Wavenet-D en-US-Wavenet-I en-US-Wavenet-J en-US-Standard-A en-US-Standard-B en-US-Standard-D
		en-US-Standard-I en-US-Standard-J'),
	('en-US', 'amazon', 'Danielle-Generative Joanna-Generative Ruth-Generative Danielle-Neural Ivy-Neural Joanna-Neural
		Kendra-Neural Kimberly-Neural Ruth-Neural Salli-Neural Ivy Joanna Kendra Kimberly Salli'),
	('en-US', 'amazon', 'Matthew-Generative Stephen-Generative Gregory-Neural Joey-Neural Justin-Neural Kevin-Neural
		Matthew-Neural Stephen-Neural Joey Justin Kevin Matthew'),
	('en-GB', 'google', 'en-GB-Chirp3-HD-Aoede en-GB-Chirp3-HD-Kore en-GB-Chirp3-HD-Leda en-GB-Chirp3-HD-Zephyr
		en-GB-Neural2-N en-GB-Wavenet-N en-GB-Standard-N'),
	('en-GB', 'google', 'en-GB-Chirp3-HD-Charon en-GB-Chirp3-HD-Fenrir en-GB-Chirp3-HD-Orus en-GB-Chirp3-HD-Puck
		en-GB-Neural2-O en-GB-Wavenet-O en-GB-Standard-O'),
	('en-GB', 'amazon', 'Amy-Generative Amy-Neural Emma-Neural Amy Emma'),
	('en-GB', 'amazon', 'Arthur-Neural Brian-Neural Brian'),
	('en-AU', 'google', 'en-AU-Chirp3-HD-Aoede en-AU-Chirp3-HD-Kore en-AU-Chirp3-HD-Leda en-AU-Chirp3-HD-Zephyr
		en-AU-Neural2-A en-AU-Neural2-C en-AU-Wavenet-A en-AU-Wavenet-C en-AU-Standard-A en-AU-Standard-C'),
	('en-AU', 'google', 'en-AU-Chirp3-HD-Charon en-AU-Chirp3-HD-Fenrir en-AU-Chirp3-HD-Orus en-AU-Chirp3-HD-Puck
		en-AU-Neural2-B en-AU-Neural2-D en-AU-Wavenet-B en-AU-Wavenet-D en-AU-Standard-B en-AU-Standard-D'),
	('en-AU', 'amazon', 'Olivia-Generative Olivia-Neural Nicole'),
	('en-AU', 'amazon', 'Russell'),
	('en-IN', 'google', 'en-IN-Chirp3-HD-Aoede en-IN-Chirp3-HD-Kore en-IN-Chirp3-HD-Leda en-IN-Chirp3-HD-Zephyr
		en-IN-Neural2-A en-IN-Neural2-D en-IN-Wavenet-A en-IN-Wavenet-D en-IN-Wavenet-E en-IN-Standard-A
		en-IN-Standard-D en-IN-Standard-E'),
	('en-IN', 'google', 'en-IN-Chirp3-HD-Charon en-IN-Chirp3-HD-Fenrir en-IN-Chirp3-HD-Orus en-IN-Chirp3-HD-Puck
		en-IN-Neural2-B en-IN-Neural2-C en-IN-Wavenet-B en-IN-Wavenet-C en-IN-Wavenet-F en-IN-Standard-B
		en-IN-Standard-C en-IN-Standard-F'),
	('en-IN', 'amazon', 'Kajal-Generative Kajal-Neural Aditi Raveena'),
	('cs-CZ', 'google', 'cs-CZ-Wavenet-B cs-CZ-Standard-B'),
	('da-DK', 'google', 'da-DK-Wavenet-F da-DK-Standard-F'),
	('da-DK', 'google', 'da-DK-Wavenet-G da-DK-Standard-G'),
	('da-DK', 'amazon', 'Sofie-Neural Naja'),
	('da-DK', 'amazon', 'Mads'),
	('de-DE', 'google', 'de-DE-Chirp3-HD-Aoede de-DE-Chirp3-HD-Kore de-DE-Chirp3-HD-Leda de-DE-Chirp3-HD-Zephyr
		de-DE-Neural2-G de-DE-Wavenet-G de-DE-Standard-G'),
	('de-DE', 'google', 'de-DE-Chirp3-HD-Charon de-DE-Chirp3-HD-Fenrir de-DE-Chirp3-HD-Orus de-DE-Chirp3-HD-Puck
		de-DE-Neural2-H de-DE-Wavenet-H de-DE-Standard-H'),
	('de-DE', 'amazon', 'Vicki-Generative Vicki-Neural Marlene Vicki'),
	('de-DE', 'amazon', 'Daniel-Generative Daniel-Neural Hans'),
	('de-AT', 'amazon', 'Hannah-Neural'),
	('el-GR', 'google', 'el-GR-Wavenet-B el-GR-Standard-B'),
	('es-ES', 'google', 'es-ES-Chirp3-HD-Aoede es-ES-Chirp3-HD-Kore es-ES-Chirp3-HD-Leda es-ES-Chirp3-HD-Zephyr
		es-ES-Neural2-H es-ES-Wavenet-F es-ES-Wavenet-H es-ES-Standard-A es-ES-Standard-F es-ES-Standard-H'),
	('es-ES', 'google', 'es-ES-Chirp3-HD-Charon es-ES-Chirp3-HD-Fenrir es-ES-Chirp3-HD-Orus es-ES-Chirp3-HD-Puck
		es-ES-Neural2-G es-ES-Wavenet-E es-ES-Wavenet-G es-ES-Standard-E es-ES-Standard-G'),
	('es-ES', 'amazon', 'Lucia-Generative Lucia-Neural Conchita Lucia'),
	('es-ES', 'amazon', 'Sergio-Generative Sergio-Neural Enrique'),
	('es-MX', 'amazon', 'Mía-Generative Mia-Neural Mia'),
	('es-MX', 'amazon', 'Andres-Generative Andres-Neural'),
	('es-US', 'google', 'es-US-Chirp3-HD-Aoede es-US-Chirp3-HD-Kore es-US-Chirp3-HD-Leda es-US-Chirp3-HD-Zephyr
		es-US-Neural2-A es-US-Wavenet-A es-US-Standard-A'),
	('es-US', 'google', 'es-US-Chirp3-HD-Charon es-US-Chirp3-HD-Fenrir es-US-Chirp3-HD-Orus es-US-Chirp3-HD-Puck
		es-US-Neural2-B es-US-Neural2-C es-US-Wavenet-B es-US-Wavenet-C es-US-Standard-B es-US-Standard-C'),
	('es-US', 'amazon', 'Lupe-Generative Lupe-Neural Lupe Penelope'),
	('es-US', 'amazon', 'Pedro-Generative Pedro-Neural Miguel'),
	('fr-FR', 'google', 'fr-FR-Chirp3-HD-Aoede fr-FR-Chirp3-HD-Kore fr-FR-Chirp3-HD-Leda fr-FR-Chirp3-HD-Zephyr
		fr-FR-Neural2-F fr-FR-Wavenet-F fr-FR-Standard-F'),
	('fr-FR', 'google', 'fr-FR-Chirp3-HD-Charon fr-FR-Chirp3-HD-Fenrir fr-FR-Chirp3-HD-Orus fr-FR-Chirp3-HD-Puck
		fr-FR-Neural2-G fr-FR-Wavenet-G fr-FR-Standard-G'),
	('fr-FR', 'amazon', 'Lea-Generative Lea-Neural Celine Lea'),
	('fr-FR', 'amazon', 'Rémi-Generative Remi-Neural Mathieu'),
	('fr-CA', 'google', 'fr-CA-Chirp3-HD-Aoede fr-CA-Chirp3-HD-Kore fr-CA-Chirp3-HD-Leda fr-CA-Chirp3-HD-Zephyr
		fr-CA-Neural2-A fr-CA-Neural2-C fr-CA-Wavenet-A fr-CA-Wavenet-C fr-CA-Standard-A fr-CA-Standard-C'),
	('fr-CA', 'google', 'fr-CA-Chirp3-HD-Charon fr-CA-Chirp3-HD-Fenrir fr-CA-Chirp3-HD-Orus fr-CA-Chirp3-HD-Puck
		fr-CA-Neural2-B fr-CA-Neural2-D fr-CA-Wavenet-B fr-CA-Wavenet-D fr-CA-Standard-B fr-CA-Standard-D'),
	('fr-CA', 'amazon', 'Gabrielle-Neural Chantal'),
	('fr-CA', 'amazon', 'Liam-Neural'),
	('it-IT', 'google', 'it-IT-Chirp3-HD-Aoede it-IT-Chirp3-HD-Kore it-IT-Chirp3-HD-Leda it-IT-Chirp3-HD-Zephyr
		it-IT-Wavenet-A it-IT-Wavenet-E it-IT-Standard-A it-IT-Standard-E'),
	('it-IT', 'google', 'it-IT-Chirp3-HD-Charon it-IT-Chirp3-HD-Fenrir it-IT-Chirp3-HD-Orus it-IT-Chirp3-HD-Puck
		it-IT-Neural2-F it-IT-Wavenet-F it-IT-Standard-F'),
	('it-IT', 'amazon', 'Bianca-Generative Bianca-Neural Bianca Carla'),
	('it-IT', 'amazon', 'Adriano-Neural Giorgio'),
	('nb-NO', 'google', 'nb-NO-Wavenet-F nb-NO-Standard-F'),
	('nb-NO', 'google', 'nb-NO-Wavenet-G nb-NO-Standard-G'),
	('nb-NO', 'amazon', 'Ida-Neural Liv'),
	('nl-NL', 'google', 'nl-NL-Chirp3-HD-Aoede nl-NL-Chirp3-HD-Kore nl-NL-Chirp3-HD-Leda nl-NL-Chirp3-HD-Zephyr
		nl-NL-Wavenet-F nl-NL-Standard-F'),
	('nl-NL', 'google', 'nl-NL-Chirp3-HD-Charon nl-NL-Chirp3-HD-Fenrir nl-NL-Chirp3-HD-Orus nl-NL-Chirp3-HD-Puck
		nl-NL-Wavenet-G nl-NL-Standard-G'),
	('nl-NL', 'amazon', 'Laura-Neural Lotte'),
	('nl-NL', 'amazon', 'Ruben'),
	('nl-BE', 'google', 'nl-BE-Wavenet-C nl-BE-Standard-C'),
	('nl-BE', 'google', 'nl-BE-Wavenet-D nl-BE-Standard-D'),
	('nl-BE', 'amazon', 'Lisa-Neural'),
	('pl-PL', 'google', 'pl-PL-Chirp3-HD-Aoede pl-PL-Chirp3-HD-Kore pl-PL-Chirp3-HD-Leda pl-PL-Chirp3-HD-Zephyr
		pl-PL-Wavenet-F pl-PL-Standard-F'),
	('pl-PL', 'google', 'pl-PL-Chirp3-HD-Charon pl-PL-Chirp3-HD-Fenrir pl-PL-Chirp3-HD-Orus pl-PL-Chirp3-HD-Puck
		pl-PL-Wavenet-G pl-PL-Standard-G'),
	('pl-PL', 'amazon', 'Ola-Neural Ewa Maja'),
	('pl-PL', 'amazon', 'Jacek Jan'),
	('pt-BR', 'google', 'pt-BR-Chirp3-HD-Aoede pt-BR-Chirp3-HD-Kore pt-BR-Chirp3-HD-Leda pt-BR-Chirp3-HD-Zephyr
		pt-BR-Neural2-A pt-BR-Neural2-C pt-BR-Wavenet-C pt-BR-Wavenet-D pt-BR-Standard-C pt-BR-Standard-D'),
	('pt-BR', 'google', 'pt-BR-Chirp3-HD-Charon pt-BR-Chirp3-HD-Fenrir pt-BR-Chirp3-HD-Orus pt-BR-Chirp3-HD-Puck
		pt-BR-Neural2-B pt-BR-Wavenet-B pt-BR-Wavenet-E pt-BR-Standard-B pt-BR-Standard-E'),
	('pt-BR', 'amazon', 'Camila-Neural Vitoria-Neural Camila Vitoria'),
	('pt-BR', 'amazon', 'Thiago-Neural Ricardo'),
	('pt-PT', 'google', 'pt-PT-Wavenet-E pt-PT-Standard-E'),
	('pt-PT', 'google', 'pt-PT-Wavenet-F pt-PT-Standard-F'),
	('pt-PT', 'amazon', 'Ines-Neural Ines'),
	('pt-PT', 'amazon', 'Cristiano'),
	('ro-RO', 'google', 'ro-RO-Wavenet-B ro-RO-Standard-B'),
	('ro-RO', 'amazon', 'Carmen'),
	('sv-SE', 'google', 'sv-SE-Wavenet-F sv-SE-Standard-F'),
	('sv-SE', 'google', 'sv-SE-Wavenet-G sv-SE-Standard-G'),
	('sv-SE', 'amazon', 'Elin-Neural Astrid'),
	('tr-TR', 'google', 'tr-TR-Chirp3-HD-Aoede tr-TR-Chirp3-HD-Kore tr-TR-Chirp3-HD-Leda tr-TR-Chirp3-HD-Zephyr
		tr-TR-Wavenet-A tr-TR-Wavenet-C tr-TR-Wavenet-D tr-TR-Standard-A tr-TR-Standard-C tr-TR-Standard-D'),
	('tr-TR', 'google', 'tr-TR-Chirp3-HD-Charon tr-TR-Chirp3-HD-Fenrir tr-TR-Chirp3-HD-Orus tr-TR-Chirp3-HD-Puck
		tr-TR-Wavenet-B tr-TR-Wavenet-E tr-TR-Standard-B tr-TR-Standard-E'),
	('tr-TR', 'amazon', 'Burcu-Neural Filiz')
	) as listed (locale, provider, names), regexp_split_to_table(names, '\s+') as voice
), old as (
	select id, replace(lower(split_part(language, '-', 1)), 'no', 'nb') as base,
	       regexp_replace(trim(voice), '^(Google|Polly)\.', '') as voice
	from agent
), kept as (
	-- a documented voice that fits the agent's language
	select distinct on (old.id) old.id, known.provider, old.voice, '' as model
	from old join known on known.voice = old.voice and split_part(known.locale, '-', 1) = old.base
	union all
	-- what looks like an ID of ElevenLabs, perhaps with a model
	select old.id, 'elevenlabs', parts[1], coalesce(parts[2], '')
	from old, regexp_match(old.voice,
		case when base = 'en' then '^([A-Za-z0-9]{20,40})(?:-(flash_v2_5|turbo_v2_5|flash_v2|turbo_v2))?(?:-[0-9._]+)?$'
		else '^([A-Za-z0-9]{20,40})(?:-(flash_v2_5|turbo_v2_5))?(?:-[0-9._]+)?$' end) as parts
	where parts is not null
)
update agent a set speech = jsonb_build_object('provider', k.provider, 'voice', k.voice, 'model', k.model)
from kept k where k.id = a.id;

alter table agent drop column voice;

-- A call that only lets a person hear an agent's voice has the speech settings of the form: {language, speech}.
alter table call add column sample jsonb;
