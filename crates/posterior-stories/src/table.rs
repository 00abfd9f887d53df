//! All stories.

use crate::Story;

macro_rules! stories {
    ($($id:literal $name:ident: $title:literal, $sentence:literal;)*) => {
        /// All stories, in the order in which they are best read.
        pub const STORIES: &[Story] = &[$(Story {
            name: stringify!($name),
            title: $title,
            sentence: $sentence,
            id: $id,
            tell: crate::$name::tell,
        }),*];
    };
}

stories! {
    "STORY-01" topics_of_history: "Topics of American history",
        "What presidents told Congress from 1790 to 2022: topics, how they rose and fell, and how well each kind of model foretells words.";
    "STORY-02" mauna_loa: "Carbon dioxide, taken apart",
        "A sum of kernels finds a line, a trend, a season and the weather in the air over Mauna Loa, and says how far ahead it can be trusted.";
    "STORY-03" spam: "Is this message spam?",
        "Naive Bayes is right nearly always and too sure of it; why it says so, word by word, and logistic regression beside it.";
    "STORY-04" punctuation: "What comes next, a full stop?",
        "A table of contexts has more numbers than any text can fill: five rules for the contexts that were never seen.";
    "STORY-05" letters: "Vowels, consonants and ciphers",
        "Two hidden states find the vowels by themselves, and a language of four-letter counts solves ciphers.";
    "STORY-06" chunking: "Where phrases begin and end",
        "A conditional random field splits news into phrases, trained in four ways, and says of which words it is in doubt.";
    "STORY-07" voting_among_friends: "Voting among friends",
        "Four friends in a ring by every engine of inference: who is exact, who is close, and who is sure and wrong.";
    "STORY-08" burglar_or_earthquake: "Burglar or earthquake?",
        "Explaining away in numbers, what an exam grade says of a student, and tables learnt from houses whose burglars nobody saw.";
    "STORY-09" people_with_glasses: "People who wear glasses",
        "Six of ten and sixty of a hundred have the same most likely share, and are not the same knowledge.";
    "STORY-10" which_treatment: "Which treatment?",
        "Expected losses choose a treatment; where cures must be learnt from patients, policies differ by how many they lose.";
    "STORY-11" tracking: "Where has it been?",
        "A walk seen through noise, with a stretch in which nothing was seen: filter, smoother, and a Gaussian process that agrees.";
    "STORY-12" clusters: "How many kinds are there?",
        "Eruptions, galaxies and washed coins: what never falls, what is left empty, and where EM creeps into a saddle.";
    "STORY-13" two_classes: "Two classes, far from the points",
        "A trained network is certain of places that it has never seen; averages over networks and functions are not.";
    "STORY-14" sampler_gallery: "A gallery of samplers",
        "One narrow ridge, and how each kind of Monte Carlo gets along it.";
    "STORY-15" bayesian_optimization: "Thirty trials, well chosen",
        "Where to look next for the least value of a costly function, against looking at random.";
}

/// The story of this name.
pub fn story(name: &str) -> Option<&'static Story> {
    STORIES.iter().find(|story| story.name == name)
}
