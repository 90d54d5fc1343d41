// A first bot in Java: plays every game by asking the referee for the legal turns. docs/write-a-bot.md explains it.
// Run it by: java Bot.java
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class Bot {
    private static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    private static final Random chance = new Random(1); // the same seed, the same games

    private static void say(String line) {
        System.out.println(line);
        System.out.flush(); // a line in a buffer is heard by nobody
    }

    /** Asks the referee; the answer is one line: response MOVE MOVE ... */
    private static List<String> legalTurns() throws IOException {
        say("query moves");
        String[] words = in.readLine().trim().split(" ");
        int end = words[words.length - 1].equals("...") ? words.length - 1 : words.length; // very long lists end so
        return Arrays.asList(words).subList(1, end);
    }

    /** Put your thinking here. position: the words after `position`; limits: the words after `go`. */
    private static String choose(String position, List<String> turns, String limits) {
        return turns.get(chance.nextInt(turns.size()));
    }

    public static void main(String[] arguments) throws IOException {
        String position = "startpos";
        // The input ends when the referee is done with us.
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.trim().split(" ", 2);
            String words = parts.length > 1 ? parts[1] : "";
            switch (parts[0]) {
                case "ugi":
                    say("id name Starter in Java");
                    say("ugiok");
                    break;
                case "isready": say("readyok"); break;
                case "setoption": break; // setoption name Game value SPEC: which game it will be
                case "position": position = words; break; // the whole game so far: startpos moves MOVE MOVE ...
                case "go": say("bestmove " + choose(position, legalTurns(), words)); break;
                case "quit": return;
                default: break; // what we do not know is not for us
            }
        }
    }
}
