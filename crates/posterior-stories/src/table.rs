//! All stories.

use crate::Story;
use crate::{
    bayesian_optimization, burglar_or_earthquake, central_limit, chunking, clusters, handwriting, letters,
    mauna_loa, people_with_glasses, punctuation, sampler_gallery, spam, tagging, topics_of_history, tracking,
    two_classes, voting_among_friends, which_treatment,
};

/// All stories, in the order in which they are best read.
pub const STORIES: &[Story] = &[
    Story {
        id: "STORY-01",
        name: "topics_of_history",
        title: "Topics of American history",
        sentence: "What presidents tell Congress from 1790 to 2022: topics, how they rose and fell, and how well each kind of model predicts words.",
        tell: topics_of_history::tell,
    },
    Story {
        id: "STORY-02",
        name: "mauna_loa",
        title: "Carbon dioxide, taken apart",
        sentence: "A sum of kernels finds a line, a trend, a season and the weather in the air over Mauna Loa, and says how far ahead it can be trusted.",
        tell: mauna_loa::tell,
    },
    Story {
        id: "STORY-03",
        name: "spam",
        title: "Is this message spam?",
        sentence: "Naive Bayes is right nearly always and too sure of it; why it says so, word by word, and logistic regression beside it.",
        tell: spam::tell,
    },
    Story {
        id: "STORY-04",
        name: "punctuation",
        title: "What comes next, a full stop?",
        sentence: "A table of contexts has more numbers than any text can fill: five rules for the contexts that were never seen.",
        tell: punctuation::tell,
    },
    Story {
        id: "STORY-05",
        name: "letters",
        title: "Vowels, consonants and ciphers",
        sentence: "Two hidden states find the vowels by themselves, and a language of four-letter counts solves ciphers.",
        tell: letters::tell,
    },
    Story {
        id: "STORY-05",
        name: "tagging",
        title: "Nouns, verbs and words never seen",
        sentence: "Most words have one tag nearly always; of the others the tags before and the ending tell, also of words that nobody has counted.",
        tell: tagging::tell,
    },
    Story {
        id: "STORY-06",
        name: "handwriting",
        title: "A noisy hand",
        sentence: "Letters read one by one, and with the help of their neighbours, beside the best that anyone can do who knows how they were written.",
        tell: handwriting::tell,
    },
    Story {
        id: "STORY-06",
        name: "chunking",
        title: "Where phrases begin and end",
        sentence: "A conditional random field splits news into phrases, trained in four ways, and says of which words it is in doubt.",
        tell: chunking::tell,
    },
    Story {
        id: "STORY-07",
        name: "voting_among_friends",
        title: "Voting among friends",
        sentence: "Four friends in a ring by every engine of inference: who is exact, who is close, and who is sure and wrong.",
        tell: voting_among_friends::tell,
    },
    Story {
        id: "STORY-08",
        name: "burglar_or_earthquake",
        title: "Burglar or earthquake?",
        sentence: "Explaining away in numbers, what an exam grade says of a student, and tables learned from houses whose burglars nobody saw.",
        tell: burglar_or_earthquake::tell,
    },
    Story {
        id: "STORY-09",
        name: "people_with_glasses",
        title: "People who wear glasses",
        sentence: "Six of ten and sixty of a hundred have the same most likely proportion, and are not the same knowledge.",
        tell: people_with_glasses::tell,
    },
    Story {
        id: "STORY-10",
        name: "which_treatment",
        title: "Which treatment?",
        sentence: "Expected losses choose a treatment; where cures must be learned from patients, policies differ by how many they lose.",
        tell: which_treatment::tell,
    },
    Story {
        id: "STORY-11",
        name: "tracking",
        title: "Where has it been?",
        sentence: "A walk seen through noise, with a stretch in which nothing was seen: filter, smoother, and a Gaussian process that agrees.",
        tell: tracking::tell,
    },
    Story {
        id: "STORY-12",
        name: "clusters",
        title: "How many kinds are there?",
        sentence: "Eruptions, galaxies and washed coins: what never falls, what is left empty, and where EM creeps into a saddle.",
        tell: clusters::tell,
    },
    Story {
        id: "STORY-13",
        name: "two_classes",
        title: "Two classes, far from the points",
        sentence: "A trained network is certain of places that it has never seen; averages over networks and functions are not.",
        tell: two_classes::tell,
    },
    Story {
        id: "STORY-14",
        name: "sampler_gallery",
        title: "A gallery of samplers",
        sentence: "One narrow ridge, and how each kind of Monte Carlo gets along it.",
        tell: sampler_gallery::tell,
    },
    Story {
        id: "STORY-15",
        name: "bayesian_optimization",
        title: "Thirty trials, well chosen",
        sentence: "Where to look next for the least value of a costly function, against looking at random.",
        tell: bayesian_optimization::tell,
    },
    Story {
        id: "STORY-16",
        name: "central_limit",
        title: "How soon is a sum normal?",
        sentence: "Distances between sums and the normal distribution, without a draw: skewness costs most, the ends come last, and one sum never comes near.",
        tell: central_limit::tell,
    },
];

/// The story of this name.
pub fn story(name: &str) -> Option<&'static Story> {
    STORIES.iter().find(|story| story.name == name)
}
